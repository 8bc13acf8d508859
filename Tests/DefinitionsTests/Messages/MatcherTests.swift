import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// No frame takes long, however it was made.
@Suite struct MatcherTests {
  @Test(
    arguments: [
      "{a: bytes} 00 {b: bytes} 00 {c: bytes} 00 {d: bytes} 01", "{repeat r}{v: bytes} 00 {end} 01",
      "{repeat r}{a: bytes} 00 {b: bytes} 00 {end} 01", "{a: bytes} 00 {xor8} 00 {b: bytes} 01",
      "{repeat r}{a: text} 00 {maybe-not: u8} 00 {end} {repeat s} 00 {b: bytes} 00 {end} 01",
    ])
  func `one that never fits is given up`(template: String) throws {
    let message = try message(template)
    let frame = [UInt8](repeating: 0, count: 4095) + [2]
    var matcher = TemplateMatcher()
    let matches = matcher.matches(frame.span, message)
    #expect(!matches)
    #expect(matcher.steps <= TemplateMatcher.budget + 1024)
  }

  /// The longest messages that are sensible need far less than the budget.
  @Test(
    arguments: [
      ("{repeat r}{v: u8}{end}", "", "07", 4096, ""),
      ("{repeat r}{v: bytes} 00 {end}", "", "07 00", 2048, ""),
      ("{a: bytes} 00 01 {b: bytes}", "", "00", 4000, "01"), ("{a: text} 0D 0A", "", "41", 4094, "0D 0A"),
      ("{size(r): u16le}{repeat r}{size(v): u8}{v: bytes}{end}", "FE 0F", "01 07", 2047, ""),
      ("{n: u8}{if n}{repeat r}{a: dec} 2C {end}{end}", "01", "31 32 2C", 1365, ""),
    ])
  func `the longest of messages are read`(
    template: String, head: String, unit: String, count: Int, tail: String
  ) throws {
    let message = try message(template)
    let frame = hex(head) + repeatElement(hex(unit), count: count).joined() + hex(tail)
    var matcher = TemplateMatcher()
    let matches = matcher.matches(frame.span, message)
    #expect(matches)
    #expect(matcher.steps <= TemplateMatcher.budget / 2)
  }
}
