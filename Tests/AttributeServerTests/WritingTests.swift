import TestSupport
import Testing

@testable import AttributeServer

@Suite struct WritingTests {
  @Test func `a full queue takes no more, and keeps what it has`() throws {
    try expect(
      SpecificationCase.large,
      """
      > 16 0F 00 00 00 41
      < 17 0F 00 00 00 41
      > 16 0F 00 01 00 42
      < 17 0F 00 01 00 42
      > 16 0F 00 02 00 43
      < 01 16 0F 00 09
      > 18 01
      < 19
      > 0A 0F 00
      < 0B 41 42
      > 16 0F 00 00 00 44
      < 17 0F 00 00 00 44
      """, preparedWrites: 2)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "none of the queue is written if the offset of one is invalid",
      SpecificationCase.large,
      """
      > 16 0F 00 00 00 41
      < 17 0F 00 00 00 41
      > 16 12 00 04 00 42
      < 17 12 00 04 00 42
      > 16 0D 00 00 00 43
      < 17 0D 00 00 00 43
      > 18 01
      < 01 18 12 00 07
      > 0A 0F 00
      < 0B 11 22
      > 0A 0D 00
      < 0B 64 65 73 63 72 69 70 74 69 6F 6E 2E*11
      > 18 01
      < 19
      > 0A 0D 00
      < 0B 64 65 73 63 72 69 70 74 69 6F 6E 2E*11
      """),
    Scenario(
      "a rule refuses a prepared value when it is written",
      SpecificationCase.small,
      """
      > 16 1B 00 00 00 AA
      < 17 1B 00 00 00 AA
      > 16 1D 00 00 00 BB
      < 17 1D 00 00 00 BB
      > 18 01
      < 01 18 1B 00 08
      """),
    Scenario(
      "each central has a queue of its own",
      SpecificationCase.large,
      """
      > 16 0F 00 00 00 41
      < 17 0F 00 00 00 41
      2> 16 12 00 00 00 42
      2< 17 12 00 00 00 42
      2> 18 01
      2< 19
      > 0A 0F 00
      < 0B 11 22
      > 0A 12 00
      < 0B 42 44 55
      > 18 01
      < 19
      > 0A 0F 00
      < 0B 41 22
      """),
    Scenario(
      "a prepared value begins where its offset is",
      SpecificationCase.large,
      """
      > 16 12 00 02 00 AA BB
      < 17 12 00 02 00 AA BB
      > 16 12 00 01 00 CC
      < 17 12 00 01 00 CC
      > 18 01
      < 19
      > 0A 12 00
      < 0B 33 CC AA BB
      """),
    Scenario(
      "what lies after a prepared value stays, and a Write Request replaces the value",
      SpecificationCase.large,
      """
      > 16 12 00 00 00 AA
      < 17 12 00 00 00 AA
      > 16 12 00 02 00 BB      # the value has 3 bytes also after the first write
      < 17 12 00 02 00 BB
      > 18 01
      < 19
      > 0A 12 00
      < 0B AA 44 BB
      > 16 12 00 01 00 CC
      < 17 12 00 01 00 CC
      > 18 01
      < 19
      > 0A 12 00
      < 0B AA CC BB
      > 12 12 00 DD
      < 13
      > 0A 12 00
      < 0B DD
      """),
    // With plain services 0001 to 0009, the values are 000C and 000E.
    Scenario(
      "a value for signed writes takes no others",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read, authenticated-signed-writes], value: "11" }
              - { uuid: FFE2, properties: [read, write, authenticated-signed-writes], value: "22" }
        """),
      """
      > 12 0C 00 AA
      < 01 12 0C 00 03
      > 52 0C 00 AA
      > 16 0C 00 00 00 AA
      < 01 16 0C 00 03
      > 0A 0C 00
      < 0B 11
      > 12 0E 00 AA
      < 13
      > 0A 0E 00
      < 0B AA
      """),
    Scenario(
      "a configuration may be prepared, and counts when it is executed",
      SpecificationCase.small,
      """
      > 16 13 00 00 00 01 00
      < 17 13 00 00 00 01 00
      > 0A 13 00
      < 0B 00 00
      > 18 01
      < 19
      > 0A 13 00
      < 0B 01 00
      > 16 13 00 00 00 00
      < 17 13 00 00 00 00
      > 18 01
      < 19
      > 0A 13 00
      < 0B 00 00
      > 16 13 00 03 00 00
      < 17 13 00 03 00 00
      > 18 01
      < 01 18 13 00 07
      > 16 13 00 01 00 00 00
      < 17 13 00 01 00 00 00
      > 18 01
      < 01 18 13 00 0D
      """),
    Scenario(
      "a command that may not be written is ignored",
      SpecificationCase.large,
      """
      > 52 00 00 AA
      > 52 35 00 AA
      > 52 0B 00 AA
      > 52 1C 00 AA
      > 52 2A 00 AA
      link encrypted
      > 0A 1C 00
      < 0B 64
      > 0A 2A 00
      < 0B 65 6E 63 72 79 70 74 65 64 2E*13
      > 52 2A 00 AA
      > 0A 2A 00
      < 0B AA
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `the parts of a value that follow each other are one write`() throws {
    var server = AttributeServer(of: SpecificationCase.large)
    for packet in ["16 0F 00 00 00 41", "16 0F 00 01 00 42", "16 12 00 00 00 43", "16 0F 00 02 00 44"] {
      #expect(server.actions(after: PacketText.bytes(packet)).count == 1)
    }
    let central = server.central
    #expect(
      server.actions(after: [0x18, 1])
        == [.ask(.writeChecked(central, .characteristic(1), value: [0x41, 0x42], offset: 0, size: 0))])
    #expect(
      server.answer(.accepted)
        == [.ask(.writeChecked(central, .characteristic(2), value: [0x43], offset: 0, size: 0))])
    #expect(
      server.answer(.accepted)
        == [.ask(.writeChecked(central, .characteristic(1), value: [0x44], offset: 2, size: 2))])
    #expect(
      server.answer(.accepted)
        == [.ask(.writeRequested(central, .characteristic(1), value: [0x41, 0x42], offset: 0, .reliable))])
    #expect(
      server.answer(.accepted)
        == [.ask(.writeRequested(central, .characteristic(2), value: [0x43], offset: 0, .reliable))])
    #expect(
      server.answer(.accepted)
        == [.ask(.writeRequested(central, .characteristic(1), value: [0x44], offset: 2, .reliable))])
    #expect(server.answer(.accepted) == [.send([0x19])])
  }

  @Test func `a request is accepted where the device wants commands`() throws {
    let server = AttributeServer(of: SpecificationCase.large)
    #expect(server.database[0x15]?.write == .open)
    try expect(SpecificationCase.large, "> 12 15 00 AA\n< 13\n> 52 15 00 AA")
  }
}
