import DefinitionWriter
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Files of settings that a device keeps.
@Suite struct KeptSettingsTests {
  static let device = load(
    """
    name: 'My "device"'
    settings:
      local-name: { type: text, max: 40, default: "" }
      level: { type: integer, default: 50 }
      warmth: { type: decimal, default: 0 }
      is-worn: { type: boolean, default: true }
      serial: { type: bytes, max: 20, default: "00 01" }
      version: { type: text, one-of: [V540, "V 605", "é"], default: V540 }
      rate: { type: integer, one-of: [-1, 9600], default: 9600 }
    """
  ).definition!

  static func index(of name: String) -> Int { device.settings.firstIndex { $0.name == name }! }

  /// All defaults but for some.
  static func values(_ changes: [String: Value]) -> [Value] {
    device.settings.map { changes[$0.name] ?? $0.initial }
  }

  static func parse(_ text: String) -> Result<[Int: Value], KeptSettingsMistakes> {
    KeptSettings.parse(SourceText(name: "state.yaml", text: text), for: device).map(\.values)
  }

  /// What is written and read again, with the defaults of what is not there.
  static func roundTrip(_ values: [Value]) throws -> [Value] {
    let read = try parse(KeptSettings.text(of: values, for: device)).get()
    return device.settings.indices.map { read[$0] ?? device.settings[$0].initial }
  }

  @Test func `what a run has drawn is there`() throws {
    let device = load(
      "settings: { key: { type: bytes, max: 4, default: random }, level: { type: integer, default: 5 } }"
    )
    .definition!
    let (one, other) = (device.drawingSettings(seed: 1), device.drawingSettings(seed: 2))
    #expect(one.settings[0].initial != other.settings[0].initial)
    #expect(one.settings[0].initial == device.drawingSettings(seed: 1).settings[0].initial)
    guard case .bytes(let key) = one.settings[0].initial else { throw CancellationError() }
    #expect(key.count == 4)
    let text = KeptSettings.text(of: one.settings.map(\.initial), for: one)
    let kept = try KeptSettings.parse(SourceText(name: "state.yaml", text: text), for: other).get().values
    #expect(kept == [0: .bytes(key)])
  }

  @Test func `only what differs from the defaults is there`() {
    #expect(
      KeptSettings.text(of: Self.values([:]), for: Self.device) == """
        definition: "My \\"device\\""
        settings: {}

        """)
    let all: [String: Value] = [
      "local-name": .text("Demo"), "level": .integer(-7), "warmth": .decimal(20.5),
      "is-worn": .boolean(false), "serial": .bytes([0xA5, 6]), "version": .text("V 605"),
      "rate": .integer(-1),
    ]
    #expect(
      KeptSettings.text(of: Self.values(all), for: Self.device) == """
        definition: "My \\"device\\""
        settings:
          local-name: "Demo"
          level: -7
          warmth: 20.5
          is-worn: false
          serial: "A5 06"
          version: "V 605"
          rate: -1

        """)
  }

  @Test(
    arguments: [
      ("local-name", .text(" a "), "\" a \""), ("local-name", .text("~"), "\"~\""),
      ("local-name", .text("a: b # c"), "\"a: b # c\""),
      ("local-name", .text("\"\\\n\r\t\u{0}\u{7F}\u{85}"), "\"\\\"\\\\\\n\\r\\t\\x00\\x7F\\x85\""),
      ("local-name", .text("\r\n"), "\"\\r\\n\""),
      ("local-name", .text("Grüße 🎈"), "\"Grüße 🎈\""),
      ("local-name", .text("\u{2028}\u{FEFF}\u{10FFFF}"), "\"\\u2028\\uFEFF\\U0010FFFF\""),
      ("level", .integer(.min), "-9223372036854775808"), ("level", .integer(.max), "9223372036854775807"),
      ("warmth", .decimal(0.1), "0.1"), ("warmth", .decimal(1e16), "10000000000000000.0"),
      ("warmth", .decimal(-1.25e-7), "-0.000000125"), ("warmth", .decimal(-0.0), "-0.0"),
      ("warmth", .decimal(1.2345678901234568e20), "123456789012345680000.0"),
      ("serial", .bytes([]), "\"\""), ("serial", .bytes([0xFF]), "\"FF\""),
      ("version", .text("e\u{301}"), "\"e\u{301}\""),
    ] as [(String, Value, String)])
  func `each kind is written so that it is read again`(name: String, value: Value, text: String) throws {
    let written = KeptSettings.text(of: Self.values([name: value]), for: Self.device)
    #expect(written.contains("  \(name): \(text)\n"), "\(written)")
    try Self.expectSame(Self.roundTrip(Self.values([name: value])), Self.values([name: value]))
  }

  @Test func `a text is kept that only Unicode takes for the default`() throws {
    let device = load("settings: { name: { type: text, default: \"\u{E9}\" } }").definition!
    let text = KeptSettings.text(of: [.text("e\u{301}")], for: device)
    #expect(text.unicodeScalars.contains("\u{301}"))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any values come back as they were`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let values = Self.device.settings.map { Self.value(of: $0.kind, &random) }
      try Self.expectSame(Self.roundTrip(values), values)
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a damaged file is refused, or holds values that fit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var read = 0
    for _ in 0..<1000 {
      let values = Self.device.settings.map { Self.value(of: $0.kind, &random) }
      var bytes = Array(KeptSettings.text(of: values, for: Self.device).utf8)
      for _ in 0...(random.next() % 3) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      }
      guard case .success(let kept) = Self.parse(String(decoding: bytes, as: UTF8.self)) else { continue }
      read += 1
      for (index, value) in kept { #expect(Self.device.settings[index].kind.problem(with: value) == nil) }
    }
    #expect((1..<1000).contains(read))
  }

  /// The same bit for bit and scalar for scalar, which `==` does not ask for.
  static func expectSame(_ read: [Value], _ values: [Value]) {
    for (one, other) in zip(read, values) {
      switch (one, other) {
      case (.text(let one), .text(let other)): #expect(one.utf8.elementsEqual(other.utf8), "\(one) \(other)")
      case (.decimal(let one), .decimal(let other)): #expect(one.bitPattern == other.bitPattern)
      default: #expect(one == other)
      }
    }
  }

  static func value(of kind: SettingDefinition.Kind, _ random: inout SplitMix64) -> Value {
    switch kind {
    case .text(let max): return .text(text(max, &random))
    case .integer: return .integer(Int64(bitPattern: random.next() >> (random.next() % 64)))
    case .decimal:
      let number = Double(bitPattern: random.next())
      return .decimal(number.isFinite ? number : 0)
    case .boolean: return .boolean(Bool.random(using: &random))
    case .bytes(let max): return .bytes(random.bytes(Int.random(in: 0...max, using: &random)))
    case .oneOf(let values): return values.randomElement(using: &random)!
    }
  }

  /// Scalars of all planes, often those that mean something in YAML or Swift.
  static func text(_ max: Int, _ random: inout SplitMix64) -> String {
    let special = Array(
      "\"\\'#:-?,[]{}&*!|>%@`~ \t\r\n\u{85}\u{2028}\u{0}\u{7F}\u{301}\u{FEFF}".unicodeScalars)
    var text = ""
    while Bool.random(using: &random) || Bool.random(using: &random) {
      let any = Unicode.Scalar(UInt32(random.next() % 0x11_0000) >> UInt32(random.next() % 14))
      let scalar = Bool.random(using: &random) ? any ?? "x" : special.randomElement(using: &random)!
      guard text.utf8.count + String(scalar).utf8.count <= max else { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  @Test(arguments: [
    "", "definition: 'My \"device\"'\n", "definition: 'My \"device\"'\nsettings:\n",
    "# mine\ndefinition: 'My \"device\"'\nsettings: {}\n",
  ])
  func `a file may say nothing`(text: String) throws {
    #expect(try Self.parse(text).get() == [:])
  }

  @Test func `a file may be written by hand`() throws {
    let read = try Self.parse(
      """
      settings: { level: 0x10, local-name: Demo }   # as a person writes it
      definition: My "device"
      """
    ).get()
    #expect(read == [Self.index(of: "level"): .integer(16), Self.index(of: "local-name"): .text("Demo")])
  }

  @Test(
    arguments: [
      (
        "settings: { level: 1 }\n",
        """
        state.yaml:1:1: error: 'definition', which names the device, is missing
            1 | settings: { level: 1 }
              | ^~~~~~~~ choose a file that blemu wrote
        """
      ),
      (
        "definition: HM-10\nsettings: { level: 1 }\n",
        """
        state.yaml:1:13: error: these are settings of 'HM-10', not of 'My "device"'
            1 | definition: HM-10
              |             ^~~~~ choose another file, or remove this one
        """
      ),
      (
        """
        definition: My "device"
        settings:
          levle: 1
          level: many
          warmth: [1]
          is-worn: yes
          serial: "\(String(repeating: "00 ", count: 21))"
          version: V541
          is-worn: true
          is-worn: true
        setings: {}
        settings: {}
        """,
        """
        state.yaml:3:3: error: the definition has no setting 'levle'
            3 |   levle: 1
              |   ^~~~~ remove the line, or write 'level'

        state.yaml:4:10: error: expected a whole number, found 'many'
            4 |   level: many
              |          ^~~~ remove the line, or write a value that fits

        state.yaml:5:11: error: expected a value, found a list
            5 |   warmth: [1]
              |           ^~~ remove it

        state.yaml:6:12: error: expected true or false, found 'yes'
            6 |   is-worn: yes
              |            ^~~ remove the line, or write a value that fits

        state.yaml:7:11: error: 21 bytes; at most 20 are allowed
            7 |   serial: "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
              |           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ remove the line, or write a value that fits

        state.yaml:8:12: error: 'V541' is not one of V540, V 605, é
            8 |   version: V541
              |            ^~~~ remove the line, or write a value that fits

        state.yaml:10:3: error: a second 'is-worn'
           10 |   is-worn: true
              |   ^~~~~~~ remove one of them

        state.yaml:11:1: error: kept settings have no key 'setings'
           11 | setings: {}
              | ^~~~~~~ did you mean 'settings'?

        state.yaml:12:1: error: a second 'settings'
           12 | settings: {}
              | ^~~~~~~~ remove one of them
        """
      ),
      (
        "definition: My \"device\"\nsettings: level\n",
        """
        state.yaml:2:11: error: expected NAME: VALUE, found 'level'
            2 | settings: level
              |           ^~~~~
        """
      ),
      (
        "- level: 1\n",
        """
        state.yaml:1:1: error: expected 'definition' and 'settings', found a list
            1 | - level: 1
              | ^~~~~~~~~~
        """
      ),
      (
        "settings: {\n",
        """
        state.yaml:2:1: error: not valid YAML: did not find expected node content
        """
      ),
    ])
  func `any other file says what is wrong, where, and what to do`(text: String, report: String) {
    switch Self.parse(text) {
    case .success(let values): Issue.record("it was read: \(values)")
    case .failure(let mistakes): #expect(mistakes.report.trimmed == report)
    }
  }
}
