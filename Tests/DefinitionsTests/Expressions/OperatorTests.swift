import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Bits, durations, choices, and functions of text.
@Suite struct OperatorTests {
  static func value(of text: String) throws -> Value { try ExpressionTests.value(of: text) }

  @Test(
    arguments: [
      ("0xF0 & 0x3C", 0x30), ("0xF0 | 0x0F", 0xFF), ("0xF0 ^ 0xFF", 0x0F), ("-1 & 0xFF", 255),
      ("-1 ^ 0", -1), ("1 << 4", 16), ("256 >> 4", 16), ("-256 >> 4", -16), ("-1 >> 63", -1),
      ("1 << 62", 1 << 62), ("-1 << 63", .min), ("0 << 63", 0), ("3 << 0", 3), ("1 >> 63", 0),
      ("most >> 62", 1), ("least >> 63", -1), ("day << month", 4),
    ] as [(String, Int64)])
  func `bits of numbers`(text: String, number: Int64) throws {
    #expect(try Self.value(of: text) == .integer(number))
  }

  @Test(
    arguments: [
      // As in Python: a comparison is weaker than bits, shifts are weaker than sums.
      ("6 & 4 == 4", .boolean(true)), ("1 | 2 == 3", .boolean(true)), ("1 | 6 & 3", .integer(3)),
      ("1 | 2 ^ 3", .integer(1)), ("6 ^ 3 & 1", .integer(7)), ("1 << 2 + 1", .integer(8)),
      ("1 + 1 << 2", .integer(8)), ("8 >> 1 << 2", .integer(16)), ("16 >> 2 * 2", .integer(1)),
      ("-1 & 3", .integer(3)), ("1 << 3 & 8", .integer(8)), ("not 1 & 1 == 0", .boolean(true)),
      ("1 < 2 | 4", .boolean(true)), ("day & 2 == 2 and month & 1 == 1", .boolean(true)),
    ] as [(String, Value)])
  func `what binds how strongly`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("300ms", 300), ("1.5s", 1500), ("2min", 120_000), ("0ms", 0), ("2s - 500ms", 1500),
      ("100ms * day", 200), ("1s // 3", 333), ("max(1s, 999ms)", 1000), ("0.5ms", 1), ("1s == 1000", nil),
    ] as [(String, Int64?)])
  func `durations are milliseconds`(text: String, milliseconds: Int64?) throws {
    #expect(try Self.value(of: text) == milliseconds.map { .integer($0) } ?? .boolean(true))
  }

  @Test(
    arguments: [
      ("if(worn, 1, 2)", .integer(1)), ("if(not worn, 'a', 'b')", .text("b")),
      ("if(day > 1, key, empty).size", .integer(3)), ("if(true, 1, 1 // (month - 1))", .integer(1)),
      ("if(false, 1 // (month - 1), 2)", .integer(2)), ("if(worn, if(worn, 1, 2), 3)", .integer(1)),
      ("if(level > 50, 0.5, 1.5)", .decimal(0.5)), ("2 * if(worn, 3, 4) + 1", .integer(7)),
    ] as [(String, Value)])
  func `one of two values, and only that one is looked at`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("upper('aßé1')", .text("ASSÉ1")), ("lower('AÉ1')", .text("aé1")), ("local-name.upper", .text("BELT")),
      ("local-name.lower.upper", .text("BELT")), ("upper('')", .text("")),
      ("text(17)", .text("17")), ("text(-0.5)", .text("-0.5")), ("text(key.slice(1, 1))", .text("\u{06}")),
      ("text(worn)", .text("true")), ("text(local-name)", .text("Belt")), ("level.text + '%'", .text("80%")),
      ("bytes('00 fF')", .bytes([0, 0xFF])), ("bytes('')", .bytes([])),
      ("bytes(hex(key)) == key", .boolean(true)),
      ("bytes('c39F').text", .text("ß")), ("u16le(0x0102)", .bytes([2, 1])),
      ("i8(-1) + u24be(month)", .bytes([0xFF, 0, 0, 1])),
      ("number(worn)", .integer(1)), ("number(not worn)", .integer(0)), ("number('17')", .integer(17)),
      ("number('-17')", .integer(-17)), ("number('+17')", .integer(17)),
      ("number('007')", .integer(7)), ("'12'.number + 1", .integer(13)),
      ("number('9223372036854775807')", .integer(.max)),
      ("starts-with('AT+NAME', 'AT')", .boolean(true)), ("starts-with('AT', 'AT+')", .boolean(false)),
      ("starts-with('AT', '')", .boolean(true)), ("local-name.starts-with('B')", .boolean(true)),
      ("starts-with('at', 'AT')", .boolean(false)), ("starts-with('', 'A')", .boolean(false)),
      ("contains('AT+NAME?', 'NAME')", .boolean(true)), ("contains('AT', 'NAME')", .boolean(false)),
      ("contains('AT', '')", .boolean(true)), ("contains('', '')", .boolean(true)),
      ("local-name.contains('elt')", .boolean(true)),
    ] as [(String, Value)])
  func `functions of text`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("key[0]", 0xA5), ("key[2]", 0x83), ("key[3]", 0), ("key[-1]", 0), ("empty[0]", 0), ("key[most]", 0),
      ("key[least]", 0), ("key[month]", 6), ("key.slice(1, 2)[0]", 6), ("(key + key)[3]", 0xA5),
      ("key[key[1] - 4]", 0x83), ("address[5]", 0x13), ("history[1, 2].samples[1]", 2),
      ("history[1, 9].samples[0]", 0), ("key[0] << 8 | key[1]", 0xA506),
    ] as [(String, Int64)])
  func `a byte; what lies outside is 0`(text: String, number: Int64) throws {
    #expect(try Self.value(of: text) == .integer(number))
  }

  @Test(
    arguments: [
      ("most + month", .overflow), ("least - month", .overflow), ("most * day", .overflow),
      ("-least", .overflow), ("abs(least)", .overflow), ("least // -month", .overflow),
      ("day << 62", .overflow), ("level << 62", .overflow), ("-level << 62", .overflow),
      ("month << 63", .overflow), ("month << 64", .badShift(64)), ("month << -1", .badShift(-1)),
      ("month >> 64", .badShift(64)), ("month >> least", .badShift(.min)),
      ("month / (day - 2)", .divisionByZero),
      ("month // (day - 2)", .divisionByZero), ("month % (day - 2)", .divisionByZero),
      ("month % (0.5 * (day - 2))", .divisionByZero), ("round(most * 4.0)", .overflow),
      ("floor(most * most * 1.0)", .overflow), ("most * 4.0 // 1", .overflow),
      ("number(local-name)", .notANumber("Belt")), ("number(hex(key))", .notANumber("A50683")),
      ("bytes(local-name)", .notHex("Belt")), ("u8(level * 4)", .notEncodable(.outOfRange(320, 0...255))),
      ("number(text(most) + '0')", .notANumber("92233720368547758070")),
      ("random(day, month)", .emptyRange(2, 1)), ("if(worn, month // (day - 2), 1)", .divisionByZero),
    ] as [(String, EvaluationError)])
  func `what has no value is an error, not a crash`(text: String, error: EvaluationError) {
    #expect(throws: error) { try Self.value(of: text) }
  }

  @Test(
    arguments: [
      ("1 & 1.5", "0-7: '&' does not apply to an integer and a decimal number"),
      ("key | 1", "0-7: '|' does not apply to bytes and an integer"),
      ("worn ^ worn", "0-11: '^' does not apply to true or false and true or false"),
      ("1.0 << 1", "0-8: '<<' does not apply to a decimal number and an integer"),
      ("1 >> 'a'", "0-8: '>>' does not apply to an integer and text"),
      ("1 << 64", "0-7: cannot shift by 64 bits, only by 0 to 63"),
      ("1 << 63", "0-7: a number does not fit in 64 bits"),
      ("2 > 1 & worn", "4-12: '&' does not apply to an integer and true or false"),
      ("1 &", "3: expected a value, found the end"), ("1 < < 2", "4-5: expected a value, found '<'"),
      ("if(worn, 1)", "0-11: 'if' takes a condition and two values"),
      ("if(worn)", "0-8: 'if' takes a condition and two values"),
      ("if(1, 2, 3)", "3-4: expected true or false, found an integer"),
      ("if(worn, 1, 'a')", "12-15: expected an integer as in the first case, found text"),
      ("if(worn, 1, 0.5)", "12-15: expected an integer as in the first case, found a decimal number"),
      ("if worn", "3-7: expected an operator or the end, found 'worn'"),
      ("if(worn, 1, 2", "13: expected ',' or ')', found the end"),
      ("upper(1)", "0-8: 'upper' takes text"), ("lower(key)", "0-10: 'lower' takes text"),
      ("bytes(key)", "0-10: 'bytes' takes text, in hex"), ("bytes('A')", "0-10: 'A' is not bytes in hex"),
      ("u8(256)", "0-7: 256 is not in 0…255"),
      ("u16le()", "0-7: 'u16le' takes one number, or bytes and an index"),
      ("u16le('a')", "6-9: expected an integer, found text"),
      ("number(1)", "0-9: 'number' takes text, or true or false"),
      ("number('x')", "0-11: 'x' is not a number"),
      ("text()", "0-6: 'text' takes one value"), ("text(1, 2)", "0-10: 'text' takes one value"),
      ("starts-with('a')", "0-16: 'starts-with' takes two texts"),
      ("contains(key, key)", "0-18: 'contains' takes two texts"),
      ("contain('a', 'b')", "0-17: unknown function 'contain'"),
      ("key['a']", "4-7: expected an integer, found text"),
      ("key[1, 2]", "0-9: expected one index, counted from 0"),
      ("key[]", "0-5: expected one index, counted from 0"),
      ("level[0]", "0-5: expected bytes, found an integer"),
      ("local-name[0]", "0-10: expected bytes, found text"),
      ("key[0].note", "0-3: only a data table has rows"),
      ("random()", "0-8: 'random' takes the least and the greatest number"),
      ("random(1)", "0-9: 'random' takes the least and the greatest number"),
      ("random(0.5, 1)", "7-10: expected an integer, found a decimal number"),
      ("random(1, 'a')", "10-13: expected an integer, found text"),
      ("random(2, 1)", "0-12: there is no number from 2 to 1"),
      ("5y", "0-2: '5y' is not a number"), ("5d", "0-2: '5d' is not a number"),
      ("5 s", "2-3: a duration has no space in it"),
      ("1.5x", "0-4: '1.5x' is not a number"),
    ])
  func `what does not fit is refused with its place`(text: String, error: String) {
    #expect(ExpressionTests.mistake(in: text) == error)
  }
}
