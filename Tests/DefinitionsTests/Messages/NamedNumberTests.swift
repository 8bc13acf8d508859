import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Fields whose numbers have names, and addresses.
@Suite struct NamedNumberTests {
  @Test(
    arguments: [
      ("u8(on: 0x23, off: 0x24)", "on", "23"), ("u8(on: 0x23, off: 0x24)", "off", "24"),
      ("i16be( cold: -1 , warm : 2)", "cold", "FF FF"), ("u64be(big: -1)", "big", "FF FF FF FF FF FF FF FF"),
      ("u24le(day-mode: 0x010203)", "day-mode", "03 02 01"),
    ])
  func `a number by its name, both ways`(name: String, value: String, bytes: String) throws {
    try FieldEncodingTests.expect(name, .text(value), hex(bytes))
  }

  @Test func `a number without a name is not read, and another name not written`() throws {
    let encoding = try FieldEncoding("u8(on: 1, off: 0)")
    #expect(encoding.decode([2]) == nil)
    #expect(throws: EncodingError.notNamed("onn", ["on", "off"])) { try encoding.check(.text("onn")) }
  }

  @Test func `bits have names, too`() throws {
    let message = try message("{bits(mode(auto: 0, manual: 1, off: 3): 2, 0: 5, on: 1)}")
    #expect(described(hex("41"), by: message) == "mode=manual on=1")
    #expect(described(hex("81"), by: message) == "another message")
    #expect(try message.build([.text("off"), .integer(0)]) == hex("C0"))
    #expect(throws: EncodingError.notNamed("of", ["auto", "manual", "off"])) {
      try message.build([.text("of"), .integer(0)])
    }
  }

  @Test(
    arguments: [
      ("{a: u8(on: 1, on: 2)}", "a second number has the name 'on'"),
      ("{a: u8(on: 1, off: 1)}", "'on' and 'off' are both 1"),
      ("{a: u8(on: 256)}", "256 does not fit 'u8'"),
      ("{a: i8(on: -129)}", "-129 does not fit 'i8'"),
      ("{a: u8()}", "'u8' takes names with their numbers, or nothing"),
      ("{a: u8(on)}", "'u8' takes names with their numbers, or nothing"),
      ("{a: u8(on: x)}", "'u8' takes names with their numbers, or nothing"),
      ("{a: u8(1st: 1)}", "'1st' is not a name"),
      ("{bits(a(on: 4): 2, 0: 6)}", "4 does not fit '2 bits'"),
      ("{bits(a(on: 1, on: 2): 2, 0: 6)}", "a second number has the name 'on'"),
      ("{bits(a(on: 1): 2, a: 6)}", "a second field 'a'"),
      ("{a: u8(on: 1)}{if a}{b: u8}{end}", "'a' is not a number"),
      ("{size(a): u8(on: 1)}{a: bytes}", "'u8(on: 1)' cannot hold a length"),
      ("{a: mac(6)}", "'mac' takes nothing, or 'colons', optionally followed by 'lower'"),
    ])
  func `mistakes in names`(template: String, message: String) {
    #expect(mistake(in: template)?.hasPrefix(message) ?? false, "\(mistake(in: template) ?? "none")")
  }

  @Test func `a field has at most 256 names`() {
    let names = (0...256).map { "n\($0): \($0)" }.joined(separator: ", ")
    #expect(mistake(in: "{a: u16le(\(names))}") == "the field has more than 256 names")
  }

  private static let address: [UInt8] = [0x4C, 0x32, 0x75, 0x0A, 0x11, 0x9E]

  @Test(
    arguments: [
      ("mac", "4C 32 75 0A 11 9E"), ("macle", "9E 11 0A 75 32 4C"),
    ])
  func `addresses, both ways`(name: String, bytes: String) throws {
    try FieldEncodingTests.expect(name, .bytes(Self.address), hex(bytes))
  }

  @Test(
    arguments: [
      ("mac(colons)", "4C:32:75:0A:11:9E"), ("macle(colons, lower)", "9e:11:0a:75:32:4c"),
    ])
  func `the text of addresses, both ways`(name: String, text: String) throws {
    try FieldEncodingTests.expect(name, .bytes(Self.address), Array(text.utf8))
  }

  @Test(arguments: ["4C:32:75:0A:11", "4C:32:75:0A:11:9G", "4C-32-75-0A-11-9E", "4C3:2:75:0A:11:9E"])
  func `other text is no address`(text: String) throws {
    #expect(try FieldEncoding("mac(colons)").decode(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: ["mac", "macle", "mac(colons)"])
  func `an address has 6 bytes`(name: String) throws {
    #expect(throws: EncodingError.tooFew(count: 5, least: 6)) {
      try FieldEncodingTests.encode(name, .bytes([1, 2, 3, 4, 5]))
    }
    #expect(throws: EncodingError.tooLong(count: 7, limit: 6)) {
      try FieldEncodingTests.encode(name, .bytes([1, 2, 3, 4, 5, 6, 7]))
    }
  }
}
