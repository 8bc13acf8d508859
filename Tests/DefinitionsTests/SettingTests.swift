import Testing

@testable import Definitions

@Suite struct SettingTests {
  @Test(
    arguments: [
      (.text(max: 6), "HMSoft", .text("HMSoft")), (.text(max: 6), "", .text("")),
      (.text(max: 6), "ßßß", .text("ßßß")),
      (.integer(-5...255), "0", .integer(0)), (.integer(-5...255), "-5", .integer(-5)),
      (.integer(-5...255), "0xfF", .integer(255)), (.boolean, "true", .boolean(true)),
      (.boolean, "false", .boolean(false)), (.bytes(max: 2), "A5 06", .bytes([0xA5, 0x06])),
      (.bytes(max: 2), "a506", .bytes([0xA5, 0x06])), (.bytes(max: 2), "", .bytes([])),
    ] as [(SettingDefinition.Kind, String, Value)])
  func `a text of the right kind is a value`(kind: SettingDefinition.Kind, text: String, value: Value) throws
  {
    #expect(try kind.parse(text) == value)
    #expect(kind.valueType == value.type)
  }

  @Test(
    arguments: [
      (.text(max: 6), "HMSofts", "'HMSofts' has 7 bytes, at most 6 are allowed"),
      (.text(max: 6), "ßßßß", "'ßßßß' has 8 bytes, at most 6 are allowed"),
      (.integer(0...9), "10", "10 is not in 0…9"), (.integer(0...9), "-1", "-1 is not in 0…9"),
      (.integer(0...9), "", "expected a whole number, found ''"),
      (.integer(0...9), "1.5", "expected a whole number, found '1.5'"),
      (.integer(0...9), "0x-1", "expected a whole number, found '0x-1'"),
      (.integer(0...9), "99999999999999999999", "expected a whole number, found '99999999999999999999'"),
      (.boolean, "yes", "expected true or false, found 'yes'"),
      (.bytes(max: 1), "A5 06", "2 bytes, at most 1 are allowed"),
      (.bytes(max: 1), "A", "expected hex bytes: a byte needs two hexadecimal digits"),
      (.bytes(max: 1), "0x", "expected hex bytes: 'x' is not a hexadecimal digit"),
    ] as [(SettingDefinition.Kind, String, String)])
  func `any other text says what is wrong`(kind: SettingDefinition.Kind, text: String, message: String) {
    let error = #expect(throws: SettingError.self) { try kind.parse(text) }
    #expect(error?.message == message)
  }

  @Test(
    arguments: [
      ("200ms", 200), ("5s", 5000), ("1.5s", 1500), ("2min", 120_000), ("0ms", 0), ("0.4ms", 0),
      ("1285ms", 1285),
      ("200", nil), ("ms", nil), ("-5s", nil), ("5 s", nil), ("5h", nil), ("½s", nil), ("1e99s", nil),
      ("", nil),
      ("0x5s", nil), ("1e3ms", nil), (".5s", nil),
    ] as [(String, Int?)])
  func `a duration has a number and a unit`(text: String, milliseconds: Int?) {
    #expect(DurationText.parse(text) == milliseconds)
  }
}
