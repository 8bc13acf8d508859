import TestSupport
import Testing

/// Rules that go on later.
@Suite struct WaitTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "actions after a wait come later, and other events are handled in between",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, do: [{ log: "{n} begins" }, { wait: 20ms * n }, { log: "{n} ends" }] }
        - { on: { subscribe: out }, do: { log: subscribed } }
      """,
      """
      > in 03
      * 3 begins
      waits until 60 ms
      10 ms
      > in 01
      * 1 begins
      waits until 30 ms
      +out
      * subscribed
      100 ms
      * 1 ends
      * 3 ends
      """),
    Scenario(
      "a rule keeps its message, its place and its central over a wait",
      """
      framing: { in: { size: 1 }, data: { size: 1 } }
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n, from: data }, do: [{ wait: 10ms }, { send: n }, { log: "{frame} {central.hex}" }] }
      """,
      """
      +
      2+
      > data 01
      waits until 10 ms
      2> data 02
      waits until 10 ms
      10 ms
      < data 01
      * 01 4C32750A119E
      < data 02
      * 02 4C32750A119F
      """),
    Scenario(
      "a wait of no time is refused",
      """
      rules:
        - { on: connect, do: [{ log: a }, { wait: 0ms }, { log: b }] }
      """,
      """
      +
      * a
      * b
      """),
    Scenario(
      "a condition decides whether it waits",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, do: [{ if: n > 5, wait: 1s }, { log: "{n}" }] }
      """,
      """
      > in 05
      * 5
      > in 06
      waits until 1000 ms
      1000 ms
      * 6
      """),
    Scenario(
      "rules that a central has set off end when it leaves, others go on",
      """
      messages: { hello: "01" }
      rules:
        - { on: start, do: [{ start: tick, after: 1ms }, { wait: 1s }, { log: start }] }
        - { on: { timer: tick }, do: [{ wait: 1s }, { log: timer }] }
        - { on: connect, do: [{ wait: 1s }, { log: "connect {central.hex}" }] }
        - { on: { receive: hello, from: wire }, do: [{ wait: 1s }, { log: wire }] }
        - { on: { receive: hello }, do: [{ wait: 1s }, { log: "hello {central.hex}" }] }
        - { on: { write: data }, do: [{ wait: 1s }, { log: write }] }
        - { on: disconnect, do: [{ wait: 1s }, { log: disconnect }] }
      """,
      """
      start
      timer tick at 1 ms
      waits until 1000 ms
      +
      waits until 1000 ms
      2+
      waits until 1000 ms
      > in 01
      waits until 1000 ms
      2> in 01
      waits until 1000 ms
      ] 01
      waits until 1000 ms
      1 ms
      waits until 1001 ms
      -
      waits no more
      waits no more
      waits until 1001 ms
      998 ms
      1 ms
      * start
      * connect 4C32750A119F
      * hello 4C32750A119F
      * wire
      1 ms
      * timer
      * disconnect
      """),
    Scenario(
      "where it cannot be told whose a rule is, it ends with the last central",
      """
      rules:
        - { on: { write: data }, do: [{ wait: 1s }, { log: done }] }
      """,
      """
      +
      2+
      0> data 01
      waits until 1000 ms
      -
      2-
      waits no more
      2000 ms
      """),
    Scenario(
      "the consequences of a rule outlast it when it ends with its central",
      """
      states: [a, b]
      rules:
        - { on: connect, do: [{ enter: b }, { start: tick, after: 10ms }] }
        - { on: { enter: b }, do: [{ wait: 10ms }, { log: "{state}" }] }
        - { on: { timer: tick }, do: { log: tick } }
      """,
      """
      +
      timer tick at 10 ms
      waits until 10 ms
      -
      10 ms
      * tick
      * b
      """),
    Scenario(
      "a time that is none ends the rule",
      """
      messages: { n: "{n: i32be}" }
      rules:
        - { on: { receive: n, from: in }, do: [{ wait: n * 1s }, { log: late }] }
        - { on: { receive: n, from: data }, do: [{ start: tick, after: n }, { log: "" }] }
        - { on: { timer: tick }, do: { log: tick } }
      """,
      """
      > in FF FF FF FF
      * line 5: -1s is not a valid duration
      > in 7F FF FF FF
      * line 5: 2147483647s is not a valid duration
      > data FF FF FF FF
      * line 6: -1ms is not a valid duration
      > data 00 00 00 01
      timer tick at 1 ms
      * 
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `256 rules can wait, and one more fails`() throws {
    var conversation = try Conversation(
      definition(
        """
        messages: { n: "{n: u16be}" }
        rules:
          - { on: { receive: n }, do: [{ wait: 1s }, { log: "{n}" }] }
        services:
          - { uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }
        """))
    for _ in 0..<256 {
      #expect(conversation.play("> in 00 07") == "> in 00 07\nwaits until 1000 ms")
    }
    let full = "> in 00 08\n* line 5: more than 256 rules are waiting"
    #expect(conversation.play("> in 00 08") == full)
    let ended = "1000 ms" + String(repeating: "\n* 7", count: 256)
    #expect(conversation.play("1000 ms") == ended)
    #expect(conversation.play("> in 00 08") == "> in 00 08\nwaits until 2000 ms")
  }

}
