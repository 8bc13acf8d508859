import TestSupport
import Testing

@testable import Behavior

/// Places without an attribute, between fragments and messages.
@Suite struct LayerTests {
  /// Fragments of at most 4 bytes, whose first byte says whether more follow.
  private static let fragments = """
    layers: [message]
    messages: { fragment: "{more: u8} {data: bytes}", query: "A5 {n: u8}", reply: "A6 {data: bytes}" }
    variables: { parts: { type: bytes, max: 64, default: "", per: central } }
    rules:
      - on: { receive: fragment, from: in }
        do:
          - set: { parts: parts + data }
          - { if: more == 0, then: [{ receive: parts, from: message }, { set: { parts: "bytes('')" } }] }
      - on: { send: any, from: message }
        do:
          repeat: ceil(frame.size / 3)
          index: i
          do: { send: fragment, to: out, with: { more: number(i < ceil(frame.size / 3) - 1), data: "slice(frame, i * 3, 3)" } }

    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "join fragments, and answer in fragments",
      fragments + """
          - { on: { receive: query, from: message }, do: { send: reply, with: { data: "fill(n, 4)" } } }
        """,
      """
      > in 01 A5
      > in 00 07
      comes to message A5 07
      goes out of message A6 07 07 07 07
      < out 01 A6 07 07
      < out 00 07 07
      > in 00 99
      comes to message 99
      ! message 99: no rule takes it
      """),
    Scenario(
      "send everything in the order of the actions, and let a rule continue with its own values",
      fragments + """
          - on: { receive: query, from: message }
            do:
              - { send: reply, with: { data: "fill(n, 3)" } }
              - { send: { bytes: "EE {n: u8}" }, to: out }
              - { send: { bytes: "01" } }
              - { log: "{n} from {origin}" }
        """,
      """
      > in 00 A5 07
      comes to message A5 07
      goes out of message A6 07 07 07
      < out 01 A6 07 07
      < out 00 07
      < out EE 07
      goes out of message 01
      < out 00 01
      * 7 from message
      """),
    Scenario(
      "have values of each central, and answer the one that asks",
      """
      services:
        - uuid: FFE0
          characteristics:
            - { id: in, uuid: FFE1, properties: [write] }
            - { id: out, uuid: FFE2, properties: [notify], recipients: asker }

      """ + fragments + """
          - { on: { receive: query, from: message }, do: { send: reply, with: { data: u8(n) } } }
        """,
      """
      +
      2+
      > in 01 A5
      2> in 01 A5
      > in 00 01
      comes to message A5 01
      goes out of message A6 01
      < out 00 A6 01 to 4C:32:75:0A:11:9E
      2> in 00 02
      comes to message A5 02
      goes out of message A6 02
      < out 00 A6 02 to 4C:32:75:0A:11:9F
      """),
    Scenario(
      "send one message after the other, also if a rule waits between fragments",
      """
      layers: [message]
      messages: { one: "01 {data: bytes}" }
      rules:
        - on: { receive: any, from: in }
          do: [{ send: { bytes: "{frame}" }, to: message }, { send: { bytes: "AA" }, to: message }, { log: asked }]
        - on: { send: any, from: message }
          do:
            - { send: { bytes: "{slice(frame, 0, 1)}" }, to: out }
            - { wait: 10ms }
            - { send: { bytes: "{slice(frame, 1, 9)}" }, to: out }
      """,
      """
      +
      > in 01 02
      goes out of message 01 02
      < out 01
      waits until 10 ms
      * asked
      10 ms
      < out 02
      goes out of message AA
      < out AA
      waits until 20 ms
      > in 03
      * asked
      -
      waits no more
      """),
    Scenario(
      "are framed, with a stream for each central",
      """
      layers: [serial]
      framing: { serial: { start: A5, length: { at: 1, counts: frame }, check: xor8, gap: 50ms } }
      messages: { go: "A5 04 {n: u8} {xor8}" }
      rules:
        - { on: { receive: any, from: in }, do: { receive: frame, from: serial } }
        - { on: { receive: go, from: serial }, do: { log: "{n}" } }
      """,
      """
      +
      2+
      > in A5 04
      comes to serial A5 04
      timer at 50 ms
      2> in A5
      comes to serial A5
      timer at 50 ms
      > in 07 A6 A5 04 08 A9
      comes to serial 07 A6 A5 04 08 A9
      * 7
      * 8
      no timer
      50 ms
      ! serial A5: unfinished after 50 ms of silence
      """),
    Scenario(
      "encode what goes out of them, and decode what arrives",
      """
      layers: [plain]
      framing: { plain: { decode: "xor(value, bytes('FF'))", encode: "xor(value, bytes('FF'))" } }
      messages: { query: "01 {n: u8}", reply: "02 {n: u8}" }
      rules:
        - { on: { receive: any, from: in }, do: { receive: frame, from: plain } }
        - { on: { receive: query, from: plain }, do: { send: reply } }
        - { on: { send: reply, from: plain }, do: [{ log: "{n}" }, { send: { bytes: "{frame}" }, to: out }] }
      """,
      """
      > in FE F8
      comes to plain FE F8
      plain plain 01 07
      goes out of plain 02 07
      * 7
      < out FD F8
      """),
    Scenario(
      "lie one inside the other, and answer to where the bytes came from",
      """
      layers: [outer, inner]
      rules:
        - { on: { receive: any, from: [in, data, wire] }, do: { receive: frame, from: outer } }
        - { on: { receive: any, from: outer }, do: { receive: "slice(frame, 1, 9)", from: inner } }
        - { on: { receive: any, from: inner }, do: { send: { bytes: "{frame} 01" } } }
        - { on: { send: any, from: inner }, do: { send: { bytes: "EE {frame}" }, to: outer } }
        - { on: { send: any, from: outer }, do: { send: { bytes: "{frame}" }, to: origin } }
        - { on: start, do: { send: { bytes: "05" }, to: inner } }
      """,
      """
      start
      goes out of inner 05
      goes out of outer EE 05
      * line 9: no bytes of a central or of the wire side have caused this, so 'origin' is no place
      > data 07 08
      comes to outer 07 08
      comes to inner 08
      goes out of inner 08 01
      goes out of outer EE 08 01
      < data EE 08 01
      ] 07 09
      comes to outer 07 09
      comes to inner 09
      goes out of inner 09 01
      goes out of outer EE 09 01
      [ EE 09 01
      """),
    Scenario(
      "say that no rule sends a message on",
      """
      layers: [message]
      rules:
        - { on: { receive: any, from: in }, do: [{ send: { bytes: "01" }, to: message }, { log: "{hex(frame)}" }] }
        - { on: { send: any, from: message }, if: centrals > 4, do: { send: { bytes: "{frame}" }, to: out } }
      """,
      """
      > in 05
      goes out of message 01
      * 'message' sends nothing: no rule sends this message on
      * 05
      """),
    Scenario(
      "hold what arrives",
      """
      layers: [message]
      rules:
        - { on: { receive: { bytes: "00" }, from: in }, do: [{ hold: message }, { wait: 5ms }, { release: message }] }
        - { on: { receive: any, from: in }, do: { receive: frame, from: message } }
        - { on: { receive: any, from: message }, do: { log: "{hex(frame)}" } }
      """,
      """
      +
      > in 00
      waits until 5 ms
      > in 01
      comes to message 01
      5 ms
      * 01
      """),
    Scenario(
      "end with a reset",
      """
      layers: [message]
      rules:
        - { on: { receive: any, from: in }, do: [{ send: { bytes: "01" }, to: message }, { log: never }] }
        - { on: { send: any, from: message }, do: [{ log: once }, reset] }
        - { on: start, do: { log: again } }
      """,
      """
      > in 05
      goes out of message 01
      * once
      advertises no name
      * again
      """),
  ]

  @Test(arguments: scenarios) func layers(_ scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a layer that receives what it sends stops at the limit of steps`() throws {
    var conversation = try Conversation(
      device(
        """
        layers: [message]
        services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
        rules:
          - { on: { receive: any, from: in }, do: { send: { bytes: "{frame}" }, to: message } }
          - { on: { send: any, from: message }, do: { receive: frame, from: message } }
          - { on: { receive: any, from: message }, do: { send: { bytes: "{frame}" } } }
        """))
    let lines = conversation.play("> in 01").split(separator: "\n")
    #expect((2...30).contains(lines.count), "\(lines.count)")
    #expect(lines.last?.contains("more than 10000 steps without time passing; add a 'wait'") == true)
  }

  @Test func `at most 64 messages wait at a layer`() throws {
    var conversation = try Conversation(
      device(
        """
        layers: [message]
        services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
        rules:
          - { on: { receive: any, from: in }, do: { repeat: 66, do: { send: { bytes: "01" }, to: message } } }
          - { on: { send: any, from: message }, do: { wait: 1s } }
        """))
    #expect(
      conversation.play("> in 01").split(separator: "\n").last
        == "* line 6: more than 64 messages wait at 'message'")
  }
}
