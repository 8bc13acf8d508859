import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Repeated parts with blocks inside.
@Suite struct NestedRepeatTests {
  @Test(
    arguments: [
      (
        "{repeat records}{tag: u8}{count(items): u8}{repeat items}{v: u16le}{end}{end}",
        "01 02 0A 00 0B 00 02 00 03 01 0C 00", "records=(1, (10) (11)) (2, ) (3, (12))"
      ),
      (
        "{size(a): u8}{repeat a}{size(b): u8}{repeat b}{v: u8}{end}{end}{rest: bytes}",
        "05 02 01 02 01 03 FF", "a=((1) (2)) ((3)) rest=FF"
      ),
      (
        "{repeat a}{bits(x: 1, y: 1, 0: 6)}{if x}{v: u8}{end}{if y}{n: u8}{end}{end}",
        "80 05 40 06 C0 07 08 00",
        "a=(1, 0, 5, -) (0, 1, -, 6) (1, 1, 7, 8) (0, 0, -, -)"
      ),
      ("{wide: u8}{repeat a}{v: u8}{if wide}{w: u8}{end}{end}", "00 01 02", "wide=0 a=(1, -) (2, -)"),
      ("{wide: u8}{repeat a}{v: u8}{if wide}{w: u8}{end}{end}", "01 01 02", "wide=1 a=(1, 2)"),
      ("{repeat a} 0A {v: u8}{maybe} 2C {w: u8}{end}{end}", "0A 01 2C 05 0A 02", "a=(1, 5) (2, -)"),
      (
        "{repeat a}{n: u8}{repeat b(2)}{repeat c(2)}{repeat d(1)}{v: u8}{end}{end}{end}{end}",
        "09 01 02 03 04", "a=(9, (((1)) ((2))) (((3)) ((4))))"
      ),
    ])
  func `are read and built`(template: String, frame: String, values: String) throws {
    let message = try message(template)
    #expect(described(hex(frame), by: message) == values)
    #expect(try message.build(#require(message.match(hex(frame)))) == hex(frame))
  }

  @Test(
    arguments: [
      ("{repeat records}{count(items): u8}{repeat items}{v: u8}{end}{end}", "02 01"),
      ("{repeat a}{size(b): u8}{repeat b}{v: u16le}{end}{end}", "03 01 02 03"),
      ("{repeat a}{count(b): u8}{repeat b(1..2)}{v: u8}{end}{end}", "00 01 05"),
    ])
  func `another frame is not this message`(template: String, frame: String) throws {
    #expect(described(hex(frame), by: try message(template)) == "another message")
  }

  @Test func `a row without a value that it needs cannot be built`() throws {
    let message = try message("{repeat a}{n: u8}{if n}{v: u8}{end}{end}")
    #expect(try message.build([.group([[.integer(0), nil], [.integer(1), .integer(2)]])]) == [0, 1, 2])
    #expect(throws: EncodingError.missing("a")) { try message.build([.group([[.integer(1), nil]])]) }
  }

  @Test(
    arguments: [
      "{repeat a} 00 {repeat b}{v: bytes} 00 {end} 01 {end}",
      "{repeat a}{repeat b} 00 {v: u8}{end} 00 {w: u8} 01 {end}",
      "{repeat a}{repeat b}{repeat c}{repeat d} 00 {v: u8}{end} 00 {end} 00 {end} 00 {end} 01",
      "{repeat a} 00 {maybe} 00 {v: u8}{end}{maybe} 00 {w: u8}{end}{end} 01",
    ])
  func `one that never fits is given up`(template: String) throws {
    let message = try message(template)
    let frame = [UInt8](repeating: 0, count: 4095) + [2]
    var matcher = TemplateMatcher()
    let matches = matcher.matches(frame.span, message)
    #expect(!matches)
    #expect(matcher.steps <= TemplateMatcher.budget + 1024)
  }

  @Test func `the longest of messages are read`() throws {
    let message = try message(
      "{repeat r}{t: u8}{count(i): u8}{repeat i}{v: u16le}{if t}{w: u8}{end}{end}{end}")
    let row: [UInt8] = [1, 2, 1, 0, 9, 2, 0, 9]
    let frame = [[UInt8]](repeating: row, count: 512).flatMap(\.self)
    var matcher = TemplateMatcher()
    let matches = matcher.matches(frame.span, message)
    #expect(matches)
    #expect(matcher.steps <= TemplateMatcher.budget / 2)
    #expect(message.parse(frame) != nil)
  }

  private static let fields = try! message(
    "{repeat records}{tag: u8}{count(items): u8}{repeat items}{mode: u8(dim: 0, bright: 1)}{end}{end}"
  ).fields

  private static let records = Value.group([
    [.integer(1), .group([[.text("dim")], [.text("bright")]])], [.integer(2), .group([])],
  ])

  @Test(
    arguments: [
      ("records[0].items[1].mode", .text("bright")), ("records[1].items.size", .integer(0)),
      ("records[1].items[0].mode", .text("")), ("records[0].items.size + records.size", .integer(4)),
      ("records[7].items.size", .integer(0)), ("records[0].items[0].mode == 'dim'", .boolean(true)),
    ] as [(String, Value)])
  func `expressions reach into rows`(text: String, value: Value) throws {
    let scope = NameScope().adding(fields: Self.fields)
    var context = EvaluationContext()
    context.event.fields = MessageFields([Self.records])
    #expect(try ExpressionChecker.check(text, in: scope).expression.evaluate(in: context) == value)
  }

  @Test(
    arguments: [
      ("records[0].items[0].mode == 'dimm'", "the field is never 'dimm'"),
      ("records[0].items[0].tag", "the group has no field 'tag'"),
      ("records[0].items[0]", "a row is not a value"),
      ("records[0].tag[0].x", "only a data table has rows"),
    ])
  func `mistakes in expressions`(text: String, message: String) throws {
    #expect {
      try ExpressionChecker.check(text, in: NameScope().adding(fields: Self.fields))
    } throws: {
      ($0 as? TextError)?.message == message
    }
  }
}
