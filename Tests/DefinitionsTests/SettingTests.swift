import Testing

@testable import Definitions
@testable import DeviceModel

@Suite struct SettingTests {
  @Test(
    arguments: [
      (.text(max: 6), "HMSoft", .text("HMSoft")), (.text(max: 6), "", .text("")),
      (.text(max: 6), "ßßß", .text("ßßß")),
      (.integer(-5...255), "0", .integer(0)), (.integer(-5...255), "-5", .integer(-5)),
      (.integer(-5...255), "0xfF", .integer(255)), (.boolean, "true", .boolean(true)),
      (.boolean, "false", .boolean(false)), (.bytes(max: 2), "A5 06", .bytes([0xA5, 0x06])),
      (.bytes(max: 2), "a506", .bytes([0xA5, 0x06])), (.bytes(max: 2), "", .bytes([])),
      (.decimal(-1...40), "36.6", .decimal(36.6)), (.decimal(-1...40), "-0.5", .decimal(-0.5)),
      (.decimal(-1...40), "+7", .decimal(7)), (.decimal(-1...40), "0x10", .decimal(16)),
      (.oneOf([.text("V540"), .text("V605")]), "V605", .text("V605")),
      (.oneOf([.integer(9600), .integer(115200)]), "0x2580", .integer(9600)),
    ] as [(SettingDefinition.Kind, String, Value)])
  func `a text of the right kind is a value`(kind: SettingDefinition.Kind, text: String, value: Value) throws
  {
    #expect(try kind.parse(text) == value)
    #expect(kind.valueType == value.type)
  }

  @Test(
    arguments: [
      (.text(max: 6), "HMSofts", "'HMSofts' has 7 bytes; at most 6 are allowed"),
      (.text(max: 6), "ßßßß", "'ßßßß' has 8 bytes; at most 6 are allowed"),
      (.integer(0...9), "10", "10 is not in 0…9"), (.integer(0...9), "-1", "-1 is not in 0…9"),
      (.integer(0...9), "", "expected a whole number, found ''"),
      (.integer(0...9), "1.5", "expected a whole number, found '1.5'"),
      (.integer(0...9), "0x-1", "expected a whole number, found '0x-1'"),
      (.integer(0...9), "99999999999999999999", "expected a whole number, found '99999999999999999999'"),
      (.boolean, "yes", "expected true or false, found 'yes'"),
      (.bytes(max: 1), "A5 06", "2 bytes; at most 1 are allowed"),
      (.bytes(max: 1), "A", "expected hex bytes: a byte needs two hexadecimal digits"),
      (.bytes(max: 1), "0x", "expected hex bytes: 'x' is not a hexadecimal digit"),
      (.decimal(0...1.5), "1.6", "1.6 is not in 0.0…1.5"),
      (.decimal(0...1), "", "expected a number, found ''"),
      (.decimal(0...1), ".5", "expected a number, found '.5'"),
      (.decimal(0...1), "1.", "expected a number, found '1.'"),
      (.decimal(0...1), "nan", "expected a number, found 'nan'"),
      (.decimal(0...1), "inf", "expected a number, found 'inf'"),
      (.decimal(0...1), "1e-3", "expected a number, found '1e-3'"),
      (.decimal(0...1), "0x.8", "expected a number, found '0x.8'"),
      (.decimal(0...1), "1.2.3", "expected a number, found '1.2.3'"),
      (.decimal(0...1), "-", "expected a number, found '-'"),
      (.oneOf([.text("V540"), .text("V605")]), "V606", "'V606' is not one of V540, V605"),
      (.oneOf([.integer(1), .integer(2)]), "3", "'3' is not one of 1, 2"),
      (.oneOf([.integer(1), .integer(2)]), "one", "expected a whole number, found 'one'"),
    ] as [(SettingDefinition.Kind, String, String)])
  func `any other text says what is wrong`(kind: SettingDefinition.Kind, text: String, message: String) {
    let error = #expect(throws: SettingError.self) { try kind.parse(text) }
    #expect(error?.message == message)
  }

  @Test(
    arguments: [
      (.text(max: 2), .text("abc"), "'abc' has 3 bytes; at most 2 are allowed"),
      (.bytes(max: 2), .bytes([1, 2, 3]), "3 bytes; at most 2 are allowed"),
      (.integer(0...9), .integer(10), "10 is not in 0…9"),
      (.decimal(0...9), .decimal(.nan), "nan is not in 0.0…9.0"),
      (.oneOf([.integer(1)]), .integer(2), "'2' is not one of 1"), (.text(max: 2), .text("ab"), nil),
      (.boolean, .boolean(true), nil), (.decimal(0...9), .decimal(9), nil),
    ] as [(SettingDefinition.Kind, Value, String?)])
  func `a value that was computed keeps the limits, too`(
    kind: SettingDefinition.Kind, value: Value, problem: String?
  ) {
    #expect(kind.problem(with: value) == problem)
  }

  @Test func `a setting has the kind that its file says`() throws {
    let definition = try #require(
      load(
        """
        settings:
          name: { type: text, default: a }
          level: { type: integer, min: -5, max: 0x10, default: 7 }
          temperature: { type: decimal, min: 18, max: 26.5, default: 20 }
          version: { type: text, one-of: [V540, V605], default: V605 }
          rate: { type: integer, one-of: [9600, 115200], default: 9600 }
        """
      ).definition)
    #expect(
      definition.settings.map(\.kind) == [
        .text(max: 512), .integer(-5...16), .decimal(18...26.5), .oneOf([.text("V540"), .text("V605")]),
        .oneOf([.integer(9600), .integer(115200)]),
      ])
    #expect(definition.settings[2].initial == .decimal(20))
  }

  @Test(
    arguments: [
      ("200ms", 200), ("5s", 5000), ("1.5s", 1500), ("2min", 120_000), ("0ms", 0), ("0.4ms", 0),
      ("1285ms", 1285), ("24h", 86_400_000), ("7d", 604_800_000),
      ("200", nil), ("ms", nil), ("-5s", nil), ("5 s", nil), ("5y", nil), ("½s", nil), ("1e99s", nil),
      ("", nil),
      ("0x5s", nil), ("1e3ms", nil), (".5s", nil),
    ] as [(String, Int?)])
  func `a duration has a number and a unit`(text: String, milliseconds: Int?) {
    #expect(DurationText.parse(text) == milliseconds)
  }
}
