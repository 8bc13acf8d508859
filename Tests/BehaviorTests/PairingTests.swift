import TestSupport
import Testing

@testable import Behavior

/// A device whose way to pair comes from settings.
@Suite struct PairingTests {
  private static let device = definition(
    """
    settings:
      type: { type: text, one-of: [0, 1, 2, 3], default: 0 }
      pass: { type: text, max: 6, default: "000000" }
      other: { type: integer, default: 0 }
    services:
      - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify] }] }
    security:
      if: type != '0'
      io-capability: if(type == '1', 'no-input-no-output', 'display-only')
      passkey: "{pass}"
      bonding: type == '3'
    rules:
      - { on: { receive: { text: "T{digit: text(1)}" } }, do: { set: { type: digit } } }
      - { on: { receive: { text: "P{digits: text(1..6)}" } }, do: { set: { pass: digits } } }
      - { on: { receive: { text: O } }, do: { set: { other: other + 1 } } }
      - { on: { receive: { text: R } }, do: restore-settings }
    """)

  private func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try Conversation(Self.device)
    #expect(conversation.engine.pairing == nil)
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  @Test func `it pairs as the settings say, from their change on`() throws {
    try expect(
      """
      +
      > serial 54 31
      keeps 1, 000000, 0
      pairs: no-input-no-output 000000, keeps no keys
      > serial 54 33
      keeps 3, 000000, 0
      pairs: display-only 000000
      > serial 4F
      keeps 3, 000000, 1
      > serial 50 31 32 33 34 35 36
      keeps 3, 123456, 1
      pairs: display-only 123456
      > serial 52
      keeps 0, 000000, 0
      pairs as the system does
      """)
  }

  @Test func `a setting that gives no way to pair changes nothing, and the log says so`() throws {
    try expect(
      """
      +
      > serial 54 32
      keeps 2, 000000, 0
      pairs: display-only 000000, keeps no keys
      > serial 50 31 32
      keeps 2, 12, 0
      * the device pairs as before: '12' is not a passkey, which has six digits
      """)
  }

  @Test func `a rule or a person forgets the bond with a central, or all bonds`() throws {
    let device = definition(
      """
      services:
        - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify] }] }
      controls: { knob: {} }
      rules:
        - { on: { write: serial }, do: { forget: central } }
        - { on: { control: knob }, do: [{ forget: all }, disconnect] }
      """)
    var conversation = try Conversation(device)
    let transcript = """
      +
      2+
      2> serial 01
      forgets 4C:32:75:0A:11:9F
      press knob
      forgets all
      disconnects all
      forget
      forgets all
      """
    #expect(conversation.play(transcript) == transcript)
  }
}
