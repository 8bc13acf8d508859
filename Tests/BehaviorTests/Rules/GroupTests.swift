import TestSupport
import Testing

@testable import Behavior

/// Rules that have something in common.
@Suite struct GroupTests {
  private static let groups = """
    services:
      - uuid: FFE0
        characteristics:
          - { id: in, uuid: FFE1, properties: [write], answers: out }
          - { id: out, uuid: FFE2, properties: [notify] }
    states: [idle, busy, done]
    variables: { count: { type: integer, default: 0 } }
    rules:
      - from: [in, wire]
        in: [idle, busy]
        if: count < 2
        rules:
          - { on: { receive: { text: "A" } }, do: [{ set: { count: count + 1 } }, { send: { text: "a" } }] }
          - if: frame.size == 1
            in: [busy, done]
            rules:
              - { on: { receive: { text: "B" }, from: wire }, do: { send: { text: "b" } } }
          - { on: { receive: { text: "C" } }, in: idle, do: [{ enter: busy }, { send: { text: "c" } }] }
      - { on: { receive: { text: "D" } }, do: [{ enter: done }, { send: { text: "d" } }] }

    """

  @Test func `have their places and conditions`() throws {
    var conversation = try Conversation(definition(Self.groups))
    let transcript = """
      > in 42
      ! in 42: no rule takes it
      ] 42
      ! wire 42: no rule takes it
      ] 43
      [ 63
      ] 43
      ! wire 43: no rule takes it
      ] 42
      [ 62
      > in 42
      ! in 42: no rule takes it
      +out
      > in 41
      < out 61
      ] 41
      [ 61
      ] 42
      ! wire 42: no rule takes it
      ] 41
      ! wire 41: no rule takes it
      > in 44
      < out 64
      """
    #expect(conversation.play(transcript) == transcript)
  }

  @Test func `are listed with what they have in common`() {
    let rules = definition(Self.groups).rules
    #expect(rules.map(\.line) == [15, 19, 20, 21])
    #expect(
      rules.map(\.source.event) == [
        "receive \"A\" from in, wire in idle, busy",
        "receive \"B\" from wire in idle, busy in busy, done",
        "receive \"C\" from in, wire in idle, busy in idle", "receive \"D\"",
      ])
    #expect(
      rules.map(\.source.condition) == ["count < 2", "(count < 2) and (frame.size == 1)", "count < 2", nil])
  }
}
