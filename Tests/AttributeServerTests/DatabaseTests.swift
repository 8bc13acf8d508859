import Bluetooth
import DeviceModel
import TestSupport
import Testing

@testable import AttributeServer

@Suite struct DatabaseTests {
  /// Handle, type, and the end of the group.
  func lines(_ yaml: String) -> [String] {
    AttributeServer(of: definition(yaml)).database.attributes.map { attribute in
      let end = attribute.groupEnd == attribute.handle ? "" : "-\(attribute.groupEnd)"
      return "\(attribute.handle)\(end) \(attribute.type)"
    }
  }

  static let plainAccess = ["1-5 2800", "2-3 2803", "3 2A00", "4-5 2803", "5 2A01"]
  static let plainAttribute = ["6-9 2800", "7-9 2803", "8 2A05", "9 2902"]

  static let service = """
    - uuid: FFE0
      characteristics:
        - { uuid: FFE1, properties: [read] }
    """

  @Test func `plain services come first`() {
    #expect(
      lines("services:\n" + Self.service)
        == Self.plainAccess + Self.plainAttribute + ["10-12 2800", "11-12 2803", "12 FFE1"])
  }

  @Test func `a plain Generic Access has the connection parameters that the device prefers`() {
    let link = "link: { parameters: { interval: { min: 20ms, max: 40ms }, latency: 4, timeout: 4s } }\n"
    let server = AttributeServer(of: definition(link + "services:\n" + Self.service))
    #expect(server.database[7]?.type == 0x2A04)
    // 16 · 1.25 ms, 32 · 1.25 ms, 4, 400 · 10 ms
    #expect(server.database[7]?.content == .constant([0x10, 0, 0x20, 0, 4, 0, 0x90, 1]))
    #expect(server.database[8]?.type == 0x2800)
  }

  @Test func `a definition's own Generic Access is where the definition puts it, without anything plain`() {
    let own = "- { uuid: 1800, characteristics: [{ uuid: 2A00, properties: [read], text: Own }] }"
    #expect(
      lines("services:\n\(Self.service)\n\(own)") == [
        "1-3 2800", "2-3 2803", "3 FFE1", "4-6 2800", "5-6 2803", "6 2A00",
      ])
  }

  @Test func `a definition's own Generic Attribute is where the definition puts it, without anything plain`()
  {
    let own = "- { uuid: 1801, characteristics: [{ uuid: 2A05, properties: [indicate] }] }"
    #expect(
      lines("services:\n\(Self.service)\n\(own)")
        == ["1-3 2800", "2-3 2803", "3 FFE1", "4-7 2800", "5-7 2803", "6 2A05", "7 2902"])
  }

  @Test func `a definition may have all of the server's services`() {
    let own = """
      - { uuid: 1801, characteristics: [] }
      - { uuid: 1800, characteristics: [{ uuid: 2A00, properties: [read], text: Own }] }
      """
    #expect(lines("services:\n" + own) == ["1 2800", "2-4 2800", "3-4 2803", "4 2A00"])
  }

  @Test func `no plain services are there if the first service leaves no handles for them`() {
    func first(_ handle: Int, _ link: String = "") -> String? {
      lines(
        "\(link)\nservices:\n  - uuid: FFE0\n    handle: \(handle)\n    characteristics: []"
      ).first
    }
    #expect(first(1) == "1 2800")
    #expect(first(9) == "9 2800")
    #expect(first(10) == "1-5 2800")
    let link = "link: { parameters: { interval: { min: 20ms, max: 40ms }, timeout: 4s } }"
    #expect(first(11, link) == "11 2800")
    #expect(first(12, link) == "1-7 2800")
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a UUID with all characters is declared in 128 bits",
      definition(
        """
        services:
          - uuid: 0000FFE0-0000-1000-8000-00805F9B34FB
            handle: 1
            characteristics:
              - { uuid: 0000ffe1-0000-1000-8000-00805f9b34fb, properties: [read] }
              - { uuid: FFE2, properties: [read] }
          - { uuid: FFE3, includes: [FFE0], characteristics: [] }
        """),
      """
      > 10 01 00 FF FF 00 28
      < 11 14 01 00 05 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 E0 FF 00 00
      > 10 06 00 FF FF 00 28
      < 11 06 06 00 07 00 E3 FF
      > 06 01 00 FF FF 00 28 E0 FF
      < 01 06 01 00 0A
      > 06 01 00 FF FF 00 28 FB 34 9B 5F 80 00 00 80 00 10 00 00 E0 FF 00 00
      < 07 01 00 05 00
      > 08 01 00 05 00 03 28
      < 09 15 02 00 02 03 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 E1 FF 00 00
      > 08 03 00 05 00 03 28
      < 09 07 04 00 02 05 00 E2 FF
      > 08 01 00 FF FF 02 28
      < 09 06 07 00 01 00 05 00
      """),
    Scenario(
      "a CCCD of a characteristic that sends nothing is a plain descriptor",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read], descriptors: [{ uuid: 2902, properties: [read, write], value: "07" }] }
        """),
      "> 0A 0D 00\n< 0B 07\n> 12 0D 00 08\n< 13\n2> 0A 0D 00\n2< 0B 08"),
    Scenario(
      "a CCCD that the definition writes is one, with the permissions of the definition",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [notify]
                descriptors:
                  - { uuid: 2902, properties: [read, write], permissions: [encrypt-write], value: "00 00" }
        """),
      "> 12 0D 00 01 00\n< 01 12 0D 00 05\nlink encrypted\n> 12 0D 00 01 00\n< 13\n> 0A 0D 00\n< 0B 01 00"),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a secondary service has another type`() {
    #expect(
      lines("services:\n  - { uuid: FFE0, primary: false, characteristics: [] }").suffix(1) == ["10 2801"])
  }

  @Test(
    arguments: [
      // Without one of its own, after the value.
      ("notify", "{ uuid: 2901, text: A }", ["12 FFE1", "13 2902", "14 2901"]),
      ("indicate", "", ["12 FFE1", "13 2902"]),
      // Its own, where the definition has it.
      (
        "notify", "{ uuid: 2901, text: A }, { uuid: 2902, value: \"00 00\" }",
        ["12 FFE1", "13 2901", "14 2902"]
      ),
      ("read", "{ uuid: 2901, text: A }", ["12 FFE1", "13 2901"]),
      ("read, reliable-write", "{ uuid: 2901, text: A }", ["12 FFE1", "13 2900", "14 2901"]),
      ("notify, writable-auxiliaries", "", ["12 FFE1", "13 2902", "14 2900"]),
      ("read, extended-properties", "", ["12 FFE1", "13 2900"]),
      (
        "read, reliable-write", "{ uuid: 2901, text: A }, { uuid: 2900, value: \"01 00\" }",
        ["12 FFE1", "13 2901", "14 2900"]
      ),
    ])
  func `descriptors follow from properties`(properties: String, descriptors: String, expected: [String]) {
    let yaml = """
      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [\(properties)], descriptors: [\(descriptors)] }
      """
    #expect(lines(yaml).dropFirst(11) == expected[...])
  }

  @Test(arguments: [("required", true), ("ignored", true), ("none", false)])
  func `a characteristic has a CCCD unless the device has none`(use: String, hasOne: Bool) {
    let yaml = """
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [notify], cccd: \(use) }] }
      """
    #expect(lines(yaml).dropFirst(11) == (hasOne ? ["12 FFE1", "13 2902"] : ["12 FFE1"]))
  }

  @Test(
    arguments: [
      ("read, reliable-write", "82", "01 00"), ("read, writable-auxiliaries", "82", "02 00"),
      ("read, reliable-write, writable-auxiliaries", "82", "03 00"),
      ("read, extended-properties", "82", "00 00"),
    ])
  func `extended properties are declared and described`(properties: String, byte: String, value: String)
    throws
  {
    let device = definition(
      """
      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [\(properties)] }
      """)
    try expect(
      device,
      "> 0A 0B 00\n< 0B \(byte) 0C 00 E1 FF\n> 0A 0D 00\n< 0B \(value)\n> 12 0D 00 00 00\n< 01 12 0D 00 03")
  }

  @Test func `an attribute that the device does not have has no handle`() {
    let device = definition(
      """
      settings:
        is-long: { type: boolean, default: false }
      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [read], if: is-long }
            - { uuid: FFE2, properties: [read] }
        - uuid: FFE5
          if: is-long
          characteristics:
            - { uuid: FFE6, properties: [read] }
      """)
    let database = AttributeServer(of: device).database
    #expect(database.handle(of: 0) == nil)
    #expect(database.handle(of: 1) == 12)
    #expect(database.handle(of: 2) == nil)
    #expect(database.attributes.count == 12)
  }

  @Test func `attributes are found by handle`() {
    let database = AttributeServer(of: SpecificationCase.small).database
    #expect(database[0] == nil)
    #expect(database[1]?.type == 0x2800)
    #expect(database[0x26]?.type == 0x2905)
    #expect(database[0x27] == nil)
    #expect(database.attributes(in: .all).count == 0x26)
    #expect(database.attributes(in: HandleRange(5, 7)).map(\.handle) == [5, 6, 7])
    #expect(database.attributes(in: HandleRange(0x26, 0xFFFF)).map(\.handle) == [0x26])
    #expect(database.attributes(in: HandleRange(0x27, 0xFFFF)).isEmpty)
  }

  // MARK: Handles of the definition

  private func problems(_ yaml: String) -> [String] {
    AttributeServer(of: definition(yaml)).database.problems.map(\.description).sorted()
  }

  @Test func `attributes have the handles that the definition gives them, and the next ones`() {
    #expect(
      lines(
        """
        services:
          - uuid: 1800
            characteristics: []
          - uuid: FFE0
            handle: 0x10
            characteristics:
              - { uuid: FFE1, handle: 0x12, properties: [read, notify] }
              - uuid: FFE2
                handle: 0x20
                properties: [read]
                descriptors: [{ uuid: 2901, handle: 0xFFFF }]
        """) == [
          "1 2800", "16-65535 2800", "17-19 2803", "18 FFE1", "19 2902", "31-65535 2803", "32 FFE2",
          "65535 2901",
        ])
  }

  @Test(arguments: [
    ("handle: 0x000A", "0x000A is not free: the attributes before it go up to 0x000A"),
    ("handle: 0xFFFF", "the attributes need more handles than there are (0xFFFF)"),
    ("handle: 11", nil),
  ])
  func `a handle that is taken, and the end of the handles, are problems`(key: String, problem: String?) {
    let first = "{ uuid: FFDF, characteristics: [] }"
    let second = "{ uuid: FFE0, \(key), characteristics: [{ uuid: FFE1, properties: [read] }] }"
    let yaml = "services: [\(first), \(second)]"
    #expect(problems(yaml) == (problem.map { [$0] } ?? []))
  }

  @Test(arguments: [
    ("0x000B", ["0x000B is not free: the attributes before it go up to 0x000A"]), ("0x000C", []),
  ])
  func `the handle of a characteristic is that of its value`(handle: String, expected: [String]) {
    #expect(
      problems(
        "services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, handle: \(handle), properties: [read] }] }]"
      )
        == expected)
  }

  @Test func `an included service that the device does not have now is left out`() {
    #expect(
      lines(
        """
        services:
          - { uuid: 1800, characteristics: [] }
          - { id: one, uuid: FFE0, if: false, characteristics: [] }
          - { id: two, uuid: FFE1, includes: [one], characteristics: [] }
        """) == ["1 2800", "2 2800"])
  }
}
