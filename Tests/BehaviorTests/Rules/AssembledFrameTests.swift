import TestSupport
import Testing

@testable import Behavior

/// Frames that rules put together.
@Suite struct AssembledFrameTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "arrive after the rule, where its event came from",
      """
      messages: { part: "01 {last: u8} {data: bytes}", whole: "A5 {n: u8}" }
      variables: { buffer: { type: bytes, max: 64, default: "" } }
      rules:
        - on: { receive: part }
          do:
            - set: { buffer: buffer + data }
            - { if: last == 1, receive: buffer }
            - { if: last == 1, set: { buffer: bytes('') } }
            - log: end
        - { on: { receive: whole }, do: { log: "{n} from {origin}" } }
      """,
      """
      > in 01 00 A5
      * end
      > in 01 01 07
      * end
      * in A5 07 by line 6
      * 7 from in
      > in 01 01 99
      * end
      * in 99 by line 6
      ! in 99: no rule takes it
      """),
    Scenario(
      "arrive at another place, in the order of what rules cause, and before a wait is over",
      """
      states: [idle, busy]
      messages: { go: "01", n: "02 {n: u8}" }
      rules:
        - on: { receive: go, from: wire }
          do: [{ enter: busy }, { receive: "bytes('02 07')", from: data }, { enter: idle }, { wait: 5ms }, { log: last }]
        - { on: { enter: busy }, do: { log: busy } }
        - { on: { enter: idle }, do: { log: idle } }
        - { on: { receive: n, from: data }, do: { log: "{n}" } }
      """,
      """
      ] 01
      waits until 5 ms
      * busy
      * data 02 07 by line 6
      * 7
      * idle
      5 ms
      * last
      """),
    Scenario(
      "count as caused by the same central",
      """
      messages: { go: "01", n: "02 {n: u8}" }
      rules:
        - { on: { receive: go, from: in }, do: { receive: "bytes('02 07')", from: wire } }
        - { on: { receive: n, from: wire }, do: [{ log: "{hex(central.slice(5, 1))}" }, { wait: 10ms }, { log: never }] }
      """,
      """
      +
      2+
      > in 01
      * wire 02 07 by line 5
      * 9E
      waits until 10 ms
      -
      waits no more
      20 ms
      """),
    Scenario(
      "have at most 4096 bytes",
      """
      variables: { buffer: { type: bytes, max: 5000, default: "00" } }
      rules:
        - on: { receive: any }
          do:
            - { repeat: 12, do: { set: { buffer: buffer + buffer } } }
            - receive: buffer + buffer
      """,
      """
      > in 01
      * line 5: 8192 bytes; a frame has at most 4096
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  /// What a loop sends and logs is cut, and the rule is named once.
  @Test(arguments: [
    "rules: [{ on: { receive: go }, do: { receive: frame } }]",
    "rules: [{ on: { receive: go }, do: [{ send: go, to: out }, { log: again }, { receive: frame }] }]",
    "rules: [{ on: { receive: go }, do: [{ receive: frame }, { receive: frame }] }]",
    """
    states: [a, b]
    rules:
      - { on: { receive: go }, do: { enter: b } }
      - { on: { enter: b }, do: [{ log: b }, { enter: a }] }
      - { on: { enter: a }, do: [{ log: a }, { enter: b }] }
    """,
  ])
  func `without end stop at the limit of steps, in a few lines`(rules: String) throws {
    var conversation = try Conversation(
      device(
        """
        messages: { go: "01" }
        services:
          - uuid: FFE0
            characteristics:
              - { id: in, uuid: FFE1, properties: [write] }
              - { id: out, uuid: FFE2, properties: [notify] }
        \(rules)
        """))
    _ = conversation.play("+\n+out")
    let lines = conversation.play("> in 01").split(separator: "\n")
    #expect((2...30).contains(lines.count), "\(lines.count)")
    #expect(lines.count { $0.contains("10000 steps") } == 1)
    #expect(lines.last?.contains("more than 10000 steps without time passing; add a 'wait'") == true)
    #expect(conversation.play("> in 02") == "> in 02\n! in 02: no rule takes it")
  }

}
