import TestSupport
import Testing

@testable import Behavior

@Suite struct AttributeTests {
  static let device = """
    services:
      - uuid: FFE0
        characteristics:
          - id: data
            uuid: FFE1
            properties: [read, write, notify]
            value: "00 01 02 03 04 05"
            descriptors:
              - { uuid: 2901, text: Data }
              - { uuid: 2904, properties: [read, write], value: "04 00" }
          - { id: other, uuid: FFE2, properties: [read, write] }
    """

  func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try Conversation(definition(Self.device))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a long value is read piece by piece",
      """
      ? data
      = 00 01 02 03 04 05
      ? data+4
      = 04 05
      ? data+6
      = 
      ? data+7
      x Invalid Offset (0x07)
      """),
    Scenario(
      "a write replaces the value, and one with an offset as many bytes from there on",
      """
      > data A0 A1 A2 A3
      ? data
      = A0 A1 A2 A3
      > data+2 B2
      ? data
      = A0 A1 B2 A3
      > data+3 B3 B4
      ? data
      = A0 A1 B2 B3 B4
      > data+6 00
      x Invalid Offset (0x07)
      ? data
      = A0 A1 B2 B3 B4
      > data
      ? data
      = 
      ? other
      = 
      """),
    Scenario(
      "descriptors have values of their own",
      """
      ? data/0
      = 44 61 74 61
      ? data/1+1
      = 00
      > data/1 19 00
      ? data/1
      = 19 00
      ? data/1+3
      x Invalid Offset (0x07)
      ? data
      = 00 01 02 03 04 05
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a value has at most 512 bytes`() throws {
    let most = String(repeating: " AA", count: 512)
    let half = String(repeating: " BB", count: 256)
    try expect(
      """
      > data\(most)
      ? data+510
      = AA AA
      > data\(most) AA
      x Invalid Attribute Value Length (0x0D)
      > data+256\(half)
      > data+257\(half)
      x Invalid Attribute Value Length (0x0D)
      ? data+255
      = AA\(half)
      """)
  }

  @Test func `rules answer and refuse at descriptors`() throws {
    let rules = """

      variables: { reads: { type: integer, default: 0 } }
      rules:
        - on: { read: data/2901 }
          do: [{ set: { reads: reads + 1 } }, { respond: { bytes: "{reads: u8}" } }]
        - { on: { write: data/2904 }, if: value.size != 2, do: { refuse: invalid-attribute-value-length } }
        - { on: { write: data/2904 }, do: { send: { bytes: "{value}" } } }
      """
    let transcript = """
      ? data/0
      = 01
      ? data/0
      = 02
      ? data/1
      = 04 00
      > data/1 19
      x Invalid Attribute Value Length (0x0D)
      > data/1 19 00
      < data 19 00
      ? data/1
      = 19 00
      """
    var conversation = try Conversation(definition(Self.device + rules))
    #expect(conversation.play(transcript) == transcript)
  }
}
