import Bluetooth
import Testing

@testable import Definitions
@testable import DeviceModel

/// What a definition is that changes another.
@Suite struct ExtendingTests {
  static let base = """
    blemu: 1
    name: Base
    summary: What is extended
    settings:
      local-name: { type: text, max: 12, default: Base }
      level: { type: integer, min: 0, max: 9, default: 1 }
    advertisement:
      local-name: "{local-name}"
      services: [FFE0, FFE5]
      tx-power: 0
    link: { mtu: 23 }
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify], value: "01" }
          - uuid: FFE2
            properties: [read]
            descriptors:
              - { uuid: 2901, text: Level }
              - { uuid: 2904, value: "04 00 01 27 01 00 00" }
      - uuid: FFE5
        characteristics: [{ uuid: FFE9, properties: [write] }]
    messages:
      ping: "01"
      pong: "02"
    rules:
      - { on: { subscribe: serial }, do: { log: base } }
    data:
      days: { columns: { day: integer }, key: [day], rows: [[1], [2]] }

    """

  static func definition(_ yaml: String) throws -> PeripheralDefinition {
    let loaded = load("extends: base.yaml\n" + yaml, files: ["base.yaml": base])
    let (definition, report) = (loaded.definition, loaded.report)
    return try #require(definition, "\(report)")
  }

  @Test func `one that says nothing else is the one that it extends`() throws {
    let definition = try Self.definition("")
    #expect(definition.name == "Base")
    #expect(definition.services.map(\.uuid.literal) == [0xFFE0, 0xFFE5])
    #expect(definition.rules.count == 1)
  }

  @Test func `mappings are merged key by key, in the order of what is extended`() throws {
    let definition = try Self.definition(
      """
      name: Clone
      settings:
        rate: { type: integer, default: 9600 }
        local-name: { default: Clone }
      link: { centrals: 1 }
      """)
    #expect(definition.name == "Clone")
    #expect(definition.summary == "What is extended")
    #expect(definition.settings.map(\.name) == ["local-name", "level", "rate"])
    #expect(definition.settings[0].kind == .text(max: 12))
    #expect(definition.settings[0].initial == .text("Clone"))
    #expect(definition.link.mtu == 23)
    #expect(definition.link.centrals == 1)
  }

  @Test func `a rule knows its file, where that is another`() throws {
    let rules = try Self.definition("rules: [{ on: connect, do: { log: child } }]").rules
    #expect(rules.map(\.file) == [nil, "base.yaml"])
    #expect(rules.map(\.line) == [2, 27])
  }

  @Test func `lists and scalars take the place of others`() throws {
    let definition = try Self.definition("advertisement: { services: [180F], tx-power: 4 }")
    let advertisement = try definition.advertised(in: definition.initialContext)
    #expect(advertisement.serviceUUIDs == [0x180F])
    #expect(advertisement.txPower == 4)
    #expect(advertisement.localName != nil)
  }

  @Test(arguments: ["~", "null"])
  func `null removes a key`(word: String) throws {
    let definition = try Self.definition(
      "summary: \(word)\nadvertisement: { tx-power: \(word) }\nlink: \(word)")
    #expect(definition.summary == "")
    #expect(definition.advertisement.txPower == nil)
    #expect(definition.advertisement.services.count == 2)
    #expect(definition.link.mtu == nil)
  }

  @Test func `null in quotes is text`() throws {
    #expect(try Self.definition("summary: \"~\"").summary == "~")
  }

  @Test func `services, characteristics and descriptors are merged by their UUIDs`() throws {
    let definition = try Self.definition(
      """
      services:
        - uuid: FFF0
          characteristics: [{ uuid: FFF1, properties: [read] }]
        - uuid: 0000ffe0-0000-1000-8000-00805f9b34fb
          characteristics:
            - { uuid: FFE3, properties: [indicate] }
            - uuid: "0xFFE2"
              id: level
              descriptors:
                - { uuid: 2905, value: "00" }
                - { uuid: 2901, text: Degree }
            - { uuid: FFE1, value: ~, text: two }
      """)
    #expect(definition.services.map(\.uuid.literal) == [0xFFE0, 0xFFE5, 0xFFF0])
    #expect(definition.characteristics.map(\.id) == ["serial", "level", "FFE3", "FFE9", "FFF1"])
    let (serial, level) = (definition.characteristics[0], definition.characteristics[1])
    #expect(serial.properties == [.read, .write, .notify])
    #expect(try serial.value.render(in: definition.initialContext) == Array("two".utf8))
    #expect(level.descriptors.map(\.uuid) == [0x2901, 0x2904, 0x2905])
    #expect(
      try level.descriptors[0].value.render(in: definition.initialContext) == Array("Degree".utf8))
  }

  @Test func `of several with one UUID, the id tells them apart`() throws {
    let services = """
      services:
        - uuid: FFE0
          characteristics:
            - { id: one, uuid: FFE1, properties: [read] }
            - { id: two, uuid: FFE1, properties: [read] }

      """
    let loaded = load(
      "extends: base.yaml\n"
        + services.replacing("id: one", with: "id: two").replacing("read", with: "write"),
      files: ["base.yaml": "blemu: 1\nname: Base\n" + services])
    // The first is meant by its id, the second is the one that is left.
    #expect(loaded.report.contains("a second characteristic 'two'"))
    let one = load(
      "extends: base.yaml\nservices: [{ uuid: FFE0, characteristics: [{ id: two, uuid: FFE1, properties: [write] }] }]",
      files: ["base.yaml": "blemu: 1\nname: Base\n" + services])
    #expect(one.definition?.characteristics.map(\.properties) == [.read, .write])
  }

  @Test func `what has an id is found by it, whatever its UUID`() throws {
    let base = """
      blemu: 1
      name: Base
      settings: { number: { type: bytes, max: 2, default: FFE0 } }
      services:
        - uuid: FFE0
          characteristics: [{ uuid: FFE1, properties: [read] }]
      """
    let middle = """
      blemu: 1
      extends: base.yaml
      services:
        - { id: FFE0, uuid: "{number}", characteristics: [{ id: FFE1, uuid: FFE9 }] }
      """
    let files = ["base.yaml": base, "middle.yaml": middle]
    let renumbered = try #require(load("extends: middle.yaml", files: files).definition)
    #expect(renumbered.services.map(\.uuid.source) == ["{number}"])
    #expect(renumbered.characteristics.map { [$0.id, $0.uuid.source] } == [["FFE1", "FFE9"]])
    for service in ["id: FFE0", "uuid: FFE0", #"uuid: "{number}""#] {
      let changed = try #require(
        load(
          "extends: middle.yaml\nservices: [{ \(service), characteristics: [{ id: FFE1, properties: [write] }] }]",
          files: files
        ).definition)
      #expect(changed.services.count == 1)
      #expect(changed.characteristics.map(\.properties) == [.write])
    }
  }

  @Test func `its rules come before those of what is extended`() throws {
    let definition = try Self.definition(
      """
      messages: { pong: "03", pang: "04" }
      rules:
        - { on: connect, do: { log: hello } }
        - { on: { receive: pang }, do: { send: pong, to: serial } }
      """)
    #expect(definition.messages.map(\.name) == ["ping", "pong", "pang"])
    #expect(definition.messages[1].source == "03")
    #expect(
      definition.rules.map(\.triggers.first) == [
        .connected, .received(message: 2, from: .characteristic(0)), .subscribed(0),
      ])
  }

  @Test func `a rule that takes all of one of what is extended replaces it`() throws {
    let rules = try Self.definition("rules: [{ on: { subscribe: serial }, do: { log: mine } }]").rules
    #expect(rules.map(\.triggers) == [[.subscribed(0)], [.subscribed(0)]])
  }

  @Test func `one that extends extends further`() throws {
    let files = [
      "middle.yaml": "blemu: 1\nextends: base.yaml\nname: Middle\nsummary: ~\nlink: { mtu: 64 }\n",
      "base.yaml": Self.base,
    ]
    let definition = try #require(
      load("extends: middle.yaml\nlink: { centrals: 2 }", files: files).definition)
    #expect(definition.name == "Middle")
    #expect(definition.summary == "")
    #expect(definition.link.mtu == 64)
    #expect(definition.link.centrals == 2)
  }

  @Test func `a bundled one goes by its name, and its files are in its folder`() throws {
    let text =
      Self.base
      + "  from-file: { file: days.csv, columns: { day: integer } }\n"
    let yaml = "extends: base\ndata: { mine: { file: days.csv, columns: { day: integer } } }"
    let loaded = load(yaml, files: ["days.csv": "day\n1\n2\n3\n"], bundled: ["base": text])
    let tables = try #require(loaded.definition, "\(loaded.report)").tables
    #expect(tables.map(\.name) == ["days", "from-file", "mine"])
    #expect(
      tables.map(\.rows) == [
        [[.integer(1)], [.integer(2)]], [[.integer(7)]], [[.integer(1)], [.integer(2)], [.integer(3)]],
      ])
  }

  @Test func `eight may extend one another`() throws {
    var files = ["8.yaml": Self.base]
    for number in 1..<8 { files["\(number).yaml"] = "blemu: 1\nextends: \(number + 1).yaml\n" }
    let loaded = load("extends: 1.yaml", files: files)
    #expect(loaded.definition?.name == "Base", "\(loaded.report)")
  }

  @Test func `hundreds of services are merged`() throws {
    let many = (0..<250).map {
      "  - { uuid: \(BluetoothUUID(UInt32(0x1_0000 + $0))), characteristics: [] }\n"
    }.joined()
    let base = "blemu: 1\nname: Base\nservices:\n" + many
    let loaded = load("extends: base.yaml\nservices:\n" + many, files: ["base.yaml": base])
    #expect(loaded.definition?.services.count == 250)
  }
}
