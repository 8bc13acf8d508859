import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

@Suite struct ExpressionTests {
  /// Two fields `month` and `day`, a few settings, and a table.
  struct World {
    static let settings: [(name: String, value: Value)] = [
      ("level", .integer(80)), ("worn", .boolean(true)), ("local-name", .text("Belt")),
      ("key", .bytes([0xA5, 0x06, 0x83])), ("empty", .bytes([])), ("most", .integer(.max)),
      ("least", .integer(.min)), ("level-2", .integer(7)),
    ]
    static let fields: [(name: String, value: Value)] = [("month", .integer(1)), ("day", .integer(2))]

    static let table: DataTable = {
      let columns = [("month", ValueType.integer), ("day", .integer), ("samples", .bytes), ("note", .text)]
      var table = DataTable(
        name: "history", columns: columns.map { DataTable.Column(name: $0, type: $1) }, keyColumns: [0, 1])
      _ = table.add([.integer(1), .integer(2), .bytes([1, 2, 3]), .text("new year")])
      return table
    }()

    static let scope: NameScope = {
      var scope = NameScope()
      for (index, setting) in settings.enumerated() {
        scope.addSetting(setting.name, index: index, type: setting.value.type)
      }
      scope.addTable(table, index: 0)
      let encodings = fields.map { MessageTemplate.Field(name: $0.name, encoding: try! FieldEncoding("u8")) }
      return scope.adding(fields: encodings)
    }()

    static let context: EvaluationContext = {
      var context = EvaluationContext(
        settings: settings.map(\.value), address: [0, 0x1A, 0x7D, 0xDA, 0x71, 0x13], tables: [table])
      context.event.fields = MessageFields(fields.map(\.value))
      return context
    }()
  }

  static func value(of text: String) throws -> Value {
    try ExpressionChecker.check(text, in: World.scope).expression.evaluate(in: World.context)
  }

  @Test(
    arguments: [
      ("17", .integer(17)), ("0x11", .integer(17)), ("1_000", .integer(1000)), ("1.5", .decimal(1.5)),
      ("'it is'", .text("it is")), ("\"it's\"", .text("it's")), ("true", .boolean(true)), ("''", .text("")),
      ("9223372036854775807", .integer(.max)),
      // Names in kebab-case: a hyphen before a letter belongs to the name.
      ("local-name", .text("Belt")), ("month - 1", .integer(0)), ("month-1", .integer(0)),
      ("month", .integer(1)),
      // Before a digit, it does only in a name that there is.
      ("level-2", .integer(7)), ("level-2-1", .integer(6)), ("level-1", .integer(79)),
      ("level -2", .integer(78)),
      ("address", .bytes([0, 0x1A, 0x7D, 0xDA, 0x71, 0x13])), ("(month)-(day)", .integer(-1)),
    ] as [(String, Value)])
  func `constants and names`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("1 + 2 * 3", .integer(7)), ("(1 + 2) * 3", .integer(9)), ("10 - 4 - 3", .integer(3)),
      ("2 * 3 % 4", .integer(2)), ("-2 * 3", .integer(-6)), ("--2", .integer(2)), ("-(1 + 2)", .integer(-3)),
      ("1 + 2 == 3", .boolean(true)), ("1 < 2 and 2 < 3", .boolean(true)),
      ("true or false and false", .boolean(true)), ("(true or false) and false", .boolean(false)),
      ("not 1 == 2", .boolean(true)), ("not true or true", .boolean(true)), ("not not worn", .boolean(true)),
      ("1 + 2 >= 3 or 1 / (month - 1) > 0", .boolean(true)),
      ("false and 1 // (month - 1) == 1", .boolean(false)),
      ("- month", .integer(-1)), ("-key.size", .integer(-3)),
    ] as [(String, Value)])
  func `what binds how strongly`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("7 / 2", .decimal(3.5)), ("6 / 2", .decimal(3)), ("7 // 2", .integer(3)), ("-7 // 2", .integer(-4)),
      ("7 // -2", .integer(-4)), ("-7 // -2", .integer(3)), ("7 % 3", .integer(1)), ("-7 % 3", .integer(2)),
      ("7 % -3", .integer(-2)), ("-7 % -3", .integer(-1)), ("6 % -3", .integer(0)), ("7.5 // 2", .integer(3)),
      ("-7.5 // 2", .integer(-4)), ("7.5 % 2", .decimal(1.5)), ("-7.5 % 2", .decimal(0.5)),
      ("1 + 0.5", .decimal(1.5)), ("2 * 0.5", .decimal(1)), ("0.5 - 1", .decimal(-0.5)),
      ("least % -1", .integer(0)), ("most - 1 + 1", .integer(.max)), ("-most - 1", .integer(.min)),
    ] as [(String, Value)])
  func `division rounds down, and / gives a decimal number`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("1 == 1.0", true), ("1 != 2", true), ("2.5 > 2", true), ("2 >= 2", true), ("1 <= 0.5", false),
      ("'a' < 'b'", true), ("'b' <= 'a'", false), ("local-name == 'Belt'", true), ("key == key", true),
      ("key != empty", true), ("worn == true", true), ("most > 9223372036854775806", true),
    ])
  func `comparisons`(text: String, holds: Bool) throws {
    #expect(try Self.value(of: text) == .boolean(holds))
  }

  @Test(
    arguments: [
      ("ceil(7 / 2)", .integer(4)), ("floor(7 / 2)", .integer(3)), ("round(7 / 2)", .integer(4)),
      ("round(-2.5)", .integer(-3)), ("round(2.4)", .integer(2)), ("ceil(5)", .integer(5)),
      ("abs(-5)", .integer(5)), ("abs(-0.5)", .decimal(0.5)), ("min(3, 1, 2)", .integer(1)),
      ("max(3, 1, 2)", .integer(3)), ("min(1, 0.5)", .decimal(0.5)), ("max(1, 0.5)", .decimal(1)),
      ("max(7)", .integer(7)), ("min(most, most - 1)", .integer(.max - 1)),
      ("max(most - 1, most)", .integer(.max)),
      ("hex(key)", .text("A50683")), ("key.hex", .text("A50683")), ("hex(empty)", .text("")),
      ("size(key)", .integer(3)), ("key.size", .integer(3)), ("'größe'.size", .integer(7)),
      ("key.slice(1, 2)", .bytes([0x06, 0x83])), ("key.slice(0, 0)", .bytes([])),
      ("key.slice(2, 15)", .bytes([0x83])), ("key.slice(3, 1)", .bytes([])), ("key.slice(99, 1)", .bytes([])),
      ("key.slice(-1, 2)", .bytes([0xA5])), ("key.slice(-5, 2)", .bytes([])),
      ("key.slice(0, -1)", .bytes([])),
      ("key.slice(1, most)", .bytes([0x06, 0x83])), ("key.slice(least, most)", .bytes([])),
      ("key.slice(0, 1) + key.slice(2, 1)", .bytes([0xA5, 0x83])), ("'a' + local-name", .text("aBelt")),
      ("key.slice(1, 2).size + 1", .integer(3)), ("address.slice(3, 3).hex", .text("DA7113")),
    ] as [(String, Value)])
  func `functions, also with a dot`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("history[month, day].samples", .bytes([1, 2, 3])), ("history[1, 2].note", .text("new year")),
      ("history[1, 3].samples", .bytes([])), ("history[1, 3].note", .text("")),
      ("history[1, 3].day", .integer(0)),
      ("ceil(history[month, day].samples.size / 15)", .integer(1)),
      ("history[month, day + 1].samples.size", .integer(0)),
      ("history[history[1, 2].month, 2].samples.slice(1, 1)", .bytes([2])),
    ] as [(String, Value)])
  func `a cell of a table; nothing where there is no such row`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("most + 1", .overflow), ("least - 1", .overflow), ("most * 2", .overflow), ("-least", .overflow),
      ("abs(least)", .overflow), ("least // -1", .overflow), ("ceil(most * 2.0)", .overflow),
      ("floor(month / 0.0000000000000000000001)", .overflow), ("month / 0", .divisionByZero),
      ("month // 0", .divisionByZero), ("month % 0", .divisionByZero), ("month / 0.0", .divisionByZero),
      ("(month + 0.5) % 0", .divisionByZero), ("number(local-name)", .notANumber("Belt")),
      ("month << 64", .badShift(64)),
      ("most << 1", .overflow), ("random(month, 0)", .emptyRange(1, 0)),
      ("1 // (month - 1)", .divisionByZero),
    ] as [(String, EvaluationError)])
  func `a number that does not exist is an error and no crash`(text: String, error: EvaluationError) {
    #expect(throws: error) { try Self.value(of: text) }
  }

  @Test(
    arguments: [
      ("", "0: expected a value, found the end"), ("1 +", "3: expected a value, found the end"),
      ("1 2", "2-3: expected an operator or the end, found '2'"), ("(1", "2: expected ')', found the end"),
      ("1)", "1-2: expected an operator or the end, found ')'"),
      ("size(key", "8: expected ',' or ')', found the end"),
      ("key.", "4: expected a name, found the end"), ("key.1", "4-5: expected a name, found '1'"),
      ("history[1, 2", "12: expected ',' or ']', found the end"), ("'abc", "0-4: the text has no closing '"),
      ("1 $ 2", "2-3: unexpected '$' in an expression"), ("1 / 0", "0-5: division by zero"),
      ("a = 1", "2-3: unexpected '=' in an expression"),
      ("12x", "0-3: '12x' is not a number"), ("1.2.3", "4-5: expected a name, found '3'"),
      ("0xG", "0-3: '0xG' is not a number"),
      ("9223372036854775808", "0-19: '9223372036854775808' is not a number"),
      ("größe", "2-3: unexpected 'ö' in an expression"),
      ("month == == 1", "9-11: expected a value, found '=='"),
      ("1e5", "0-3: '1e5' is not a number"), ("0x1.5", "0-5: '0x1.5' is not a number"),
      ("max(1,)", "6-7: expected a value, found ')'"),
    ])
  func `what is no expression is refused with its place`(text: String, error: String) {
    #expect(Self.mistake(in: text) == error)
  }

  @Test(
    arguments: [
      ("monht", "0-5: unknown name 'monht'"), ("1 + dya", "4-7: unknown name 'dya'"),
      ("month + 'a'", "0-11: '+' does not apply to an integer and text"),
      ("(month) and true", "1-16: 'and' does not apply to an integer and true or false"),
      ("not month", "4-9: expected true or false, found an integer"),
      ("-key", "1-4: expected a number, found bytes"),
      ("key < key", "0-9: '<' does not apply to bytes and bytes"),
      ("1 == 'a'", "0-8: '==' does not apply to an integer and text"),
      ("key * 2", "0-7: '*' does not apply to bytes and an integer"),
      ("size(1)", "0-7: 'size' takes bytes, text or a group"),
      ("key.slice(1)", "0-12: 'slice' takes bytes or text, the first index and a count"),
      ("key.slice(1.5, 2)", "0-17: 'slice' takes bytes or text, the first index and a count"),
      ("min()", "0-5: 'min' takes numbers"), ("ceil('1')", "0-9: 'ceil' takes one number"),
      ("key.sise", "0-8: unknown function 'sise'"), ("history", "0-7: 'history' is a table, not a value"),
      ("history[1, 2]", "0-13: a row is not a value"),
      ("history[1].note", "0-15: 'history' is looked up by month, day"),
      ("history['1', 2].note", "8-11: expected an integer, found text"),
      ("history[1, 2].nose", "0-18: 'history' has no column 'nose'"),
      ("key[1].note", "0-3: only a data table has rows"),
      ("worn + worn", "0-11: '+' does not apply to true or false and true or false"),
    ])
  func `what does not fit is refused with its place`(text: String, error: String) {
    #expect(Self.mistake(in: text) == error)
  }

  static func mistake(in text: String) -> String? {
    do {
      _ = try ExpressionChecker.check(text, in: World.scope)
      return nil
    } catch {
      let range = error.range
      return (range.isEmpty ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)")
        + ": \(error.message)"
    }
  }

  /// What is repeated, what comes after that, and what is repeated then.
  @Test(
    arguments: [
      ("(", "", ""), ("-", "1", ""), ("not ", "true", ""), ("", "1", " + 1"), ("", "key", ".slice(0, 9)"),
      ("size(", "", ""), ("history[", "", ""), ("(1 + 1 * 1 + ", "", ""), ("", "true", " and true"),
    ])
  func `nesting has an end, and so have chains`(before: String, middle: String, after: String) {
    let text =
      String(repeating: before, count: 100_000) + middle + String(repeating: after, count: 100_000)
    #expect(Self.mistake(in: text) == "0-1: the expression has more than 4096 characters")
    let mistake = Self.mistake(in: String(text.prefix(4000)))
    #expect(
      mistake?.hasSuffix("the expression is nested too deep") == true
        || mistake?.hasSuffix("the expression is too long") == true)
  }

  @Test func `forty parentheses and a hundred terms are within reason`() throws {
    let nested = String(repeating: "(", count: 40) + "1" + String(repeating: ")", count: 40)
    #expect(try Self.value(of: nested) == .integer(1))
    #expect(try Self.value(of: "1" + String(repeating: " + 1", count: 99)) == .integer(100))
    #expect(try Self.value(of: "max(" + String(repeating: "1, ", count: 999) + "2)") == .integer(2))
  }
}

@Suite struct CalendarTests {
  /// Seconds as `date -u -d … +%s` of GNU coreutils tells them.
  @Test(
    arguments: [
      (0, "1970-1-1 0:0:0", 4, 1), (951_782_400, "2000-2-29 0:0:0", 2, 60),
      (1_704_067_199, "2023-12-31 23:59:59", 7, 365), (1_735_603_200, "2024-12-31 0:0:0", 2, 366),
      (-1, "1969-12-31 23:59:59", 3, 365), (-2_203_891_200, "1900-3-1 0:0:0", 4, 60),
      (4_107_542_400, "2100-3-1 0:0:0", 1, 60),
    ] as [(Int64, String, Int64, Int64)])
  func `a time has the parts that the calendar gives it, and they make it again`(
    time: Int64, text: String, weekday: Int64, yearday: Int64
  ) throws {
    let parts = CalendarPart.allCases.map { $0.value(at: time) }
    #expect("\(parts[0])-\(parts[1])-\(parts[2]) \(parts[3]):\(parts[4]):\(parts[5])" == text)
    #expect(parts[6...] == [weekday, yearday])
    let expression = "time(\(parts[..<6].map(String.init).joined(separator: ", ")))"
    #expect(try ExpressionTests.value(of: expression) == .integer(time))
  }

  @Test func `every day of 400 years has another date, in order`() {
    var previous = (year: Int64(1969), month: Int64(12), day: Int64(31))
    for days in Int64(0)..<146_097 {
      let time = days * 86_400
      let date = (
        year: CalendarPart.year.value(at: time), month: CalendarPart.month.value(at: time),
        day: CalendarPart.day.value(at: time)
      )
      // Faster than an expectation for each day.
      if CalendarPart.time([date.year, date.month, date.day, 0, 0, 0]) != time || previous >= date {
        Issue.record("\(date) after \(previous)")
      }
      previous = date
    }
  }
}
