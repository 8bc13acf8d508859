import DeviceModel
import TestSupport
import Testing

@testable import AttributeServer

@Suite struct ReadingTests {
  /// With plain services 0001 to 0009, the values are 000C, 000E and 0010.
  static func device(_ first: Int, _ second: Int, _ third: Int = 1) -> PeripheralDefinition {
    definition(
      """
      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [read], value: "\(PacketText.hexText(0xA1, first))" }
            - { uuid: FFE2, properties: [read], value: "\(PacketText.hexText(0xA2, second))" }
            - { uuid: FFE3, properties: [read], value: "\(PacketText.hexText(0xA3, third))" }
      """)
  }

  @Test(
    arguments: [
      (1, 2, "A1 A2 A2"), (0, 1, "A2"), (0, 0, ""), (20, 2, "A1*20 A2 A2"), (20, 3, "A1*20 A2 A2"),
      (30, 3, "A1*22"),
    ])
  func `several values come one after the other, cut to the MTU`(first: Int, second: Int, values: String)
    throws
  {
    try expect(Self.device(first, second), "> 0E 0C 00 0E 00\n< 0F \(values)")
  }

  @Test(
    arguments: [
      (1, 2, "01 00 A1 02 00 A2 A2"), (0, 0, "00 00 00 00"), (16, 2, "10 00 A1*16 02 00 A2 A2"),
      (17, 2, "11 00 A1*17 02 00 A2"), (18, 2, "12 00 A1*18 02 00"), (19, 2, "13 00 A1*19"),
      (20, 2, "14 00 A1*20"), (30, 2, "1E 00 A1*20"),
    ])
  func `several values come with their whole lengths, and the last one is cut to the MTU`(
    first: Int, second: Int, values: String
  ) throws {
    try expect(Self.device(first, second), "> 20 0C 00 0E 00\n< 21 \(values)")
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "the same value can be read several times at once",
      Self.device(2, 1),
      "> 0E 0C 00 0C 00 0E 00\n< 0F A1 A1 A1 A1 A2"),
    Scenario(
      "several reads are refused at the first bad handle",
      SpecificationCase.small,
      """
      > 0E 0A 00 00 00 0E 00
      < 01 0E 00 00 01
      > 20 0A 00 0E 00 00 00
      < 01 20 0E 00 02
      > 20 1B 00 0E 00
      < 01 20 1B 00 08
      """),
    Scenario(
      "a device answers several reads one after the other",
      SpecificationCase.small,
      """
      device waits
      > 0E 0A 00 13 00 10 00
      device answers
      device answers
      < 0F 01 02 03 00 00 33
      > 08 08 00 26 00 04 29
      device answers
      device answers
      < 09 09 0C 00 04 00 01 27 01 00 00 20 00 0E FF 2F 27 01 01 00
      """),
    Scenario(
      "a long declaration is cut to the MTU, and its end read by offset",
      SpecificationCase.large,
      """
      > 0A 13 00
      < 0B 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 01 00 40 6E
      > 0C 14 00 10 00
      < 0D 00 40 6E
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test(
    arguments: [
      ("0A 01 00", "0B 00 18"), ("0A 02 00", "0B 0A 03 00 00 2A"), ("0C 02 00 03 00", "0D 00 2A"),
      ("0C 02 00 05 00", "0D"), ("0C 02 00 06 00", "01 0C 02 00 07"), ("0C 13 00 01 00", "0D 00"),
      ("0C 13 00 03 00", "01 0C 13 00 07"), ("0E 01 00 13 00", "0F 00 18 00 00"),
    ])
  func `declarations and configurations are read like values`(request: String, response: String) throws {
    try expect(SpecificationCase.small, "> \(request)\n< \(response)")
  }

}

extension PacketText {
  /// A byte that comes several times, in hex.
  static func hexText(_ byte: UInt8, _ count: Int) -> String {
    Array(repeating: text([byte]), count: count).joined(separator: " ")
  }
}
