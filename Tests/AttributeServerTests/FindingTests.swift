import TestSupport
import Testing

@testable import AttributeServer

@Suite struct FindingTests {
  @Test(arguments: ["04 01 00", "04 FF FF", "06 27 00"])
  func `a range that is none is an Invalid Handle, which is its first`(beginning: String) throws {
    let opcode = beginning.prefix(2)
    let tail = opcode == "06" ? " 00 28" : ""
    let first = beginning.dropFirst(3)
    try expect(
      SpecificationCase.small,
      """
      > \(opcode) 00 00 \(first)\(tail)
      < 01 \(opcode) 00 00 01
      > \(opcode) \(first) 00 00\(tail)
      < 01 \(opcode) \(first) 01
      """)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a range of groups that is none is an Invalid Handle before the type counts",
      SpecificationCase.small,
      """
      > 10 00 00 FF FF 00 28
      < 01 10 00 00 01
      > 10 02 00 01 00 03 28
      < 01 10 02 00 01
      """),
    Scenario(
      "types may be asked for in the long form",
      SpecificationCase.small,
      """
      > 10 08 00 08 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 00 28 00 00
      < 11 06 08 00 16 00 E0 FF
      > 08 01 00 FF FF FB 34 9B 5F 80 00 00 80 00 10 00 00 E3 FF 00 00
      < 09 03 10 00 33
      """),
    Scenario(
      "secondary services are groups",
      SpecificationCase.large,
      """
      > 10 01 00 FF FF 01 28
      < 11 06 1A 00 1C 00 F0 A0
      > 06 01 00 FF FF 01 28 F0 A0
      < 07 1A 00 1C 00
      > 06 01 00 FF FF 00 28 F0 A0
      < 01 06 01 00 0A
      """),
    Scenario(
      "no service includes another one",
      SpecificationCase.large,
      "> 08 01 00 FF FF 02 28\n< 01 08 01 00 0A"),
    Scenario(
      "a group is found by its declaration, even if it goes on behind the range",
      SpecificationCase.small,
      """
      > 10 02 00 08 00 00 28
      < 11 06 08 00 16 00 E0 FF
      > 06 02 00 08 00 00 28 E0 FF
      < 07 08 00 16 00
      > 10 09 00 16 00 00 28
      < 01 10 09 00 0A
      """),
    Scenario(
      "an attribute is found by any value that can be read",
      SpecificationCase.small,
      """
      > 06 01 00 FF FF E1 FF 01 02 03
      < 07 0A 00 0A 00
      > 06 01 00 FF FF E1 FF 01 02
      < 01 06 01 00 0A
      > 06 01 00 FF FF 02 29 00 00
      < 07 13 00 13 00 16 00 16 00
      > 06 01 00 FF FF 03 28 08 0E 00 E2 FF
      < 07 0D 00 0E 00
      > 06 01 00 FF FF E2 FF
      < 01 06 01 00 0A
      """),
    Scenario(
      "a value that the device refuses is not found, and does not end the search",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: first, uuid: FFE1, properties: [read], value: "41" }
              - { id: second, uuid: FFE1, properties: [read], value: "41" }
              - { id: third, uuid: FFE1, properties: [read], value: "41" }
        rules:
          - { on: { read: first }, do: { refuse: insufficient-authorization } }
          - { on: { read: third }, do: { refuse: insufficient-authorization } }
        """),
      """
      > 06 01 00 FF FF E1 FF 41
      < 07 0E 00 0E 00
      > 06 0F 00 FF FF E1 FF 41
      < 01 06 0F 00 0A
      """),
    Scenario(
      "values that need a protected link are found on such a link",
      SpecificationCase.large,
      """
      > 06 01 00 FF FF 02 A1 0A
      < 01 06 01 00 0A
      link authenticated
      > 06 01 00 FF FF 02 A1 0A
      < 07 2C 00 2C 00
      """),
    Scenario(
      "the values of a UUID are read up to one that may not be read",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: first, uuid: FFE1, properties: [read], value: "41" }
              - { id: second, uuid: FFE1, properties: [read], value: "42" }
              - { id: third, uuid: FFE1, properties: [write] }
              - { id: fourth, uuid: FFE1, properties: [read], value: "44" }
              - { id: fifth, uuid: FFE1, properties: [read], permissions: [encrypt-read], value: "45" }
        rules:
          - { on: { read: second }, do: { refuse: application-error-80 } }
        """),
      """
      > 08 01 00 FF FF E1 FF
      < 09 03 0C 00 41
      > 08 0D 00 FF FF E1 FF
      < 01 08 0E 00 80
      > 08 0F 00 FF FF E1 FF
      < 01 08 10 00 02
      > 08 11 00 FF FF E1 FF
      < 09 03 12 00 44
      > 08 13 00 FF FF E1 FF
      < 01 08 14 00 05
      """),
    Scenario(
      "a row of a response has at most 255 bytes",
      SpecificationCase.large,
      """
      > 02 05 02
      < 03 05 02
      > 08 01 00 FF FF 01 A0
      < 09 FF 0C 00 66 69 72 73 74 2E*248
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test(arguments: ["03 28", "02 28", "E1 FF", "00 2A"])
  func `only services are groups`(type: String) throws {
    try expect(SpecificationCase.small, "> 10 01 00 FF FF \(type)\n< 01 10 01 00 10")
  }

  /// With plain services 0001 to 0009, the values are 000C, 000E and 0010.
  @Test(
    arguments: [
      ([300, 400], "09 FF 0C 00 A1*253"), ([300, 300], "09 FF 0C 00 A1*253 0E 00 A2*253"),
      ([253, 300], "09 FF 0C 00 A1*253"), ([1, 1, 2], "09 03 0C 00 A1 0E 00 A2"),
    ])
  func `values of one response are of equal length before they are cut`(sizes: [Int], response: String) throws
  {
    let characteristics = sizes.enumerated().map { index, size in
      let value = PacketText.hexText(UInt8(0xA1 + index), size)
      return "    - { id: \(["a", "b", "c"][index]), uuid: FFE1, properties: [read], value: \"\(value)\" }"
    }
    try expect(
      definition(
        "services:\n  - uuid: FFE0\n    characteristics:\n" + characteristics.joined(separator: "\n")),
      "> 02 05 02\n< 03 05 02\n> 08 01 00 FF FF E1 FF\n< \(response)")
  }

  @Test func `the types of attributes fill a response`() throws {
    try expect(
      SpecificationCase.small,
      """
      > 04 01 00 FF FF
      < 05 01 01 00 00 28 02 00 03 28 03 00 00 2A 04 00 03 28 05 00 01 2A
      > 04 25 00 FF FF
      < 05 01 25 00 F6 FF 26 00 05 29
      """)
    try expect(
      SpecificationCase.large,
      """
      > 02 28 00
      < 03 05 02
      > 04 14 00 19 00
      < 05 01 14 00 03 28
      > 04 15 00 19 00
      < 05 02 15 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 02 00 40 6E
      > 04 16 00 16 00
      < 05 01 16 00 03 28
      """)
  }

  @Test func `handles of found attributes are cut to the MTU`() throws {
    let services = Array(repeating: "  - { uuid: FFE0, characteristics: [] }", count: 7).joined(
      separator: "\n")
    try expect(
      definition("services:\n" + services),
      """
      > 06 01 00 FF FF 00 28 E0 FF
      < 07 0A 00 0A 00 0B 00 0B 00 0C 00 0C 00 0D 00 0D 00 0E 00 0E 00
      > 06 0F 00 FF FF 00 28 E0 FF
      < 07 0F 00 0F 00 10 00 10 00
      """)
  }

  @Test(
    arguments: [
      (["01", "02", "03 04", "05"], "09 03 0C 00 01 0E 00 02"),
      (["", "", "01"], "09 02 0C 00 0E 00"),
      (
        ["01 02 03 04 05 06 07 08", "11 12 13 14 15 16 17 18", "21 22 23 24 25 26 27 28"],
        "09 0A 0C 00 01 02 03 04 05 06 07 08 0E 00 11 12 13 14 15 16 17 18"
      ),
    ])
  func `the values of a UUID are read as long as they have one length and there is room`(
    values: [String], response: String
  ) throws {
    let characteristics = values.enumerated().map {
      "      - { id: v\($0.offset), uuid: FFE1, properties: [read], value: \"\($0.element)\" }"
    }
    let yaml = "services:\n  - uuid: FFE0\n    characteristics:\n" + characteristics.joined(separator: "\n")
    try expect(definition(yaml), "> 08 01 00 FF FF E1 FF\n< \(response)")
  }

  /// Twelve services FFE0 with a characteristic FFE1 each, of one byte; three handles for each.
  static let twelve = definition(
    "services:\n"
      + (0..<12).map {
        """
          - id: s\($0)
            uuid: FFE0
            characteristics: [{ id: c\($0), uuid: FFE1, properties: [read], value: "41" }]

        """
      }.joined())

  /// The request, the bytes of the response before its rows, and those of a row.
  @Test(
    arguments: [
      ("04 01 00 FF FF", 2, 4), ("06 01 00 FF FF 00 28 E0 FF", 1, 4), ("08 0A 00 FF FF 03 28", 2, 7),
      ("08 0A 00 FF FF E1 FF", 2, 3), ("10 0A 00 FF FF 00 28", 2, 6),
    ])
  func `a response has as many rows as fit, at every MTU`(request: String, header: Int, row: Int) {
    for mtu in 23...(header + 11 * row + 1) {
      var server = AttributeServer(of: Self.twelve)
      _ = server.actions(after: [0x02, UInt8(mtu), 0])
      var actions = server.actions(after: PacketText.bytes(request))
      while case .ask? = actions.first { actions = Array(server.answer(.value([0x41]))) }
      let size = header + (mtu - header) / row * row
      guard case .send(let response)? = actions.first, response.count == size else {
        Issue.record("no response of \(size) bytes at MTU \(mtu): \(actions)")
        continue
      }
    }
  }
}
