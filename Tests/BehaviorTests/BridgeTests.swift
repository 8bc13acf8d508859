import Definitions
import TestSupport
import Testing

@testable import Behavior

/// A folder with one file.
/// What crosses between the air and the wire, and what rules make of it.
@Suite struct BridgeTests {
  private static let uart = """
    services:
      - uuid: FFE0
        characteristics:
          - { id: rx, uuid: FFE1, properties: [write], answers: tx }
          - { id: tx, uuid: FFE2, properties: [notify] }
          - { id: other, uuid: FFE3, properties: [notify] }
    wire: { bridge: { from: rx, to: tx } }
    framing: { wire: { delimiter: 0A } }
    values: { twice: "centrals * 2" }
    rules:
      - { on: { receive: { text: "AT" }, from: [rx, wire] }, do: { send: { text: "OK {twice}" } } }
      - on: { receive: { text: "WHO" }, from: [rx, wire] }
        do: { if: origin == 'rx' or origin == 'wire', send: { text: "{origin}" } }
      - on: { receive: { bytes: "7E {n: u8}" }, from: rx }
        do: [bridge, { send: { bytes: "{u16be(n)} {xor8}" } }]

    """

  private func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try Conversation(definition(Self.uart))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a frame that no rule takes crosses from one characteristic to the wire side, and back from another",
      """
      > rx 41
      [ 41
      ] 42 0A
      < tx 42 0A
      """),
    Scenario(
      "an answer goes to the place that the characteristic names, or back to the wire side",
      """
      +
      > rx 41 54
      < tx 4F 4B 20 32
      ] 41 54 0A
      [ 4F 4B 20 32
      """),
    Scenario(
      "a rule knows where a frame came from",
      """
      > rx 57 48 4F
      < tx 72 78
      ] 57 48 4F 0A
      [ 77 69 72 65
      """),
    Scenario(
      "a rule passes a frame on and answers it, too",
      """
      > rx 7E 05
      [ 7E 05
      < tx 00 05 05
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `without the bridge of the base, its frames are taken by no rule`() throws {
    let files = ["uart.yaml": "blemu: 1\nname: UART\n" + Self.uart]
    var conversation = try Conversation(
      define("blemu: 1\nextends: uart.yaml\nwire: ~\n", files: files))
    let transcript = """
      +tx
      > rx 7E 05
      ! rx 7E 05: no rule takes it
      < tx 00 05 05
      """
    #expect(conversation.play(transcript) == transcript)
  }

  @Test func `a rule that ends with its central releases the frames that it would have released`() throws {
    var conversation = try Conversation(
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: in, uuid: FFE1, properties: [write] }
        rules:
          - { on: { receive: { bytes: "01" } }, do: [{ hold: in }, { wait: 10s }, { release: in }] }
          - { on: { receive: any }, do: { log: "{frame}" } }
        """))
    let transcript = """
      +
      > in 01
      waits until 10000 ms
      > in 02
      -
      waits no more
      * 02
      +
      > in 03
      * 03
      """
    #expect(conversation.play(transcript) == transcript)
  }
}
