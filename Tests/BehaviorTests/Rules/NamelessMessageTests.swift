import Framing
import TestSupport
import Testing

@testable import Behavior

/// Messages that stand in their rules.
@Suite struct NamelessMessageTests {
  @Test func `they are received, with fields, and sent, with expressions`() throws {
    try expect(
      """
      variables: { level: { type: integer, default: 5 } }
      rules:
        - on: { receive: { bytes: "A5 {n: u8} {xor8}" } }
          do: [{ set: { level: level + n } }, { send: { bytes: "5A {level * 2: u16be} {xor8}" }, to: data }]
        - on: { receive: { text: "AT+{key: text}={value: dec}", ignore-case: true } }
          do: { send: { text: "OK+{key}:{value + 1}\\r\\n" }, to: out }
        - { on: { read: data }, do: { respond: { text: "{level}" } } }
      """.replacing("\\r\\n", with: "!"),
      """
      > in A5 07 A2
      < data 5A 00 18 42
      > in 61 74 2B 58 3D 39
      < out 4F 4B 2B 58 3A 31 30 21
      ? data
      = 31 32
      > in A5 07 A3
      ! in A5 07 A3: no rule takes it
      """)
  }

  @Test func `a value that does not fit ends the rule`() throws {
    try expect(
      """
      rules:
        - { on: { receive: any, from: in }, do: [{ send: { bytes: "{frame.size * 100: u8}" }, to: out }] }
      """,
      """
      > in 01 02
      < out C8
      > in 01 02 03
      * line 4: 300 is not in 0…255
      """)
  }

  @Test func `two throws of dice in one message are two`() throws {
    let device = definition(
      """
      rules:
        - { on: { write: in }, do: { send: { bytes: "{random(0, 255): u8} {random(0, 255): u8}" }, to: out } }
      services:
        - uuid: FFE0
          characteristics:
            - { id: in, uuid: FFE1, properties: [write] }
            - { id: out, uuid: FFE2, properties: [notify] }
      """)
    var engine = try Engine(device, settings: [], address: Conversation.centrals[0])
    var differences = 0
    for _ in 0..<100 {
      let event = Event.writeRequested(nil, .characteristic(0), value: [1], offset: 0, nil)
      let actions = engine.handle(event, at: Instant()).actions
      guard case .notify(1, let bytes, _, _)? = actions.first else {
        return #expect(Bool(false), "\(actions)")
      }
      differences += bytes[0] == bytes[1] ? 0 : 1
    }
    #expect(differences > 90)
  }
}
