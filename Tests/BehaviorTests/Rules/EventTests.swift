import Testing

/// What rules can wait for.
@Suite struct EventTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "the start, centrals, subscriptions, states and timers have their rules",
      """
      states: [off, on]
      rules:
        - { on: start, do: [{ log: start }, { start: tick, after: 1s }] }
        - { on: connect, do: { log: "connect {central.hex}, {centrals} of them" } }
        - { on: disconnect, do: { log: "disconnect {central.hex}, {centrals} left" } }
        - { on: { subscribe: out }, do: { log: "subscribe {subscribed(out)}" } }
        - { on: { unsubscribe: out }, do: { log: "unsubscribe {subscribed(out)}" } }
        - { on: { timer: tick }, do: [{ log: tick }, { enter: on }] }
        - { on: { leave: off }, do: { log: leave off } }
        - { on: { enter: on }, do: { log: "enter {state}" } }
      """,
      """
      start
      * start
      timer tick at 1000 ms
      +
      * connect 4C32750A119E, 1 of them
      2+
      * connect 4C32750A119F, 2 of them
      +out
      * subscribe true
      2+out
      * subscribe true
      +data
      -out
      * unsubscribe true
      2-out
      * unsubscribe false
      1000 ms
      * tick
      * leave off
      * enter on
      -
      * disconnect 4C32750A119E, 1 left
      """),
    Scenario(
      "a disconnection has its reason, also after a wait",
      """
      rules:
        - { on: disconnect, if: reason == 'unknown', do: { log: why? } }
        - { on: disconnect, if: reason == 'supervision-timeout', do: [{ wait: 1s }, { log: "beep: {reason}" }] }
        - { on: disconnect, do: { log: "bye: {reason}" } }
      """,
      """
      +
      -
      * why?
      +
      - supervision-timeout
      waits until 1000 ms
      +
      - 0x2E
      * bye: 0x2E
      1000 ms
      * beep: supervision-timeout
      """),
    Scenario(
      "a central that cannot be told is the last that connected",
      """
      rules:
        - { on: { subscribe: out }, do: { log: "{central.hex}" } }
        - { on: { write: data }, do: { log: "{central.hex}" } }
      """,
      """
      0+out
      * 
      +
      2+
      0> data 01
      * 4C32750A119F
      > data 01
      * 4C32750A119E
      """),
    Scenario(
      "a central that has not subscribed cannot unsubscribe",
      """
      rules:
        - { on: { unsubscribe: out }, do: { log: "{subscribed(out)}" } }
      """,
      """
      +out
      2-out
      -out
      * false
      -out
      """),
    Scenario(
      "a rule waits for a frame at its place, and may take any frame",
      """
      messages: { hello: "01" }
      rules:
        - { on: { receive: hello, from: in }, do: { log: in } }
        - { on: { receive: hello, from: wire }, do: { log: wire } }
        - { on: { receive: any, from: data }, if: frame.size > 1, do: { log: "data {frame}" } }
        - { on: { receive: any, from: wire }, do: { log: "wire {frame[0] + 1}" } }
      """,
      """
      > in 01
      * in
      ] 01
      * wire
      > data 01
      ! data 01: no rule takes it
      > data 01 02
      * data 01 02
      ] 02 03
      * wire 3
      > in 02
      ! in 02: no rule takes it
      """),
    Scenario(
      "fields hide other values with the same name",
      """
      settings: { level: { type: integer, default: 7 } }
      messages: { level: "{level: u8}", other: "FF {x: u8}" }
      rules:
        - { on: { receive: level }, do: { log: "field {level}" } }
        - { on: { receive: other }, do: { log: "setting {level}" } }
      """,
      """
      > in 05
      * field 5
      > in FF 05
      * setting 7
      """),
    Scenario(
      "of the rules for one event the first that fits is the only one",
      """
      states: [a, b, c]
      variables: { n: { type: integer, default: 0 } }
      rules:
        - { on: connect, in: b, do: [{ log: in b }, { enter: c }] }
        - { on: connect, in: [a, c], if: n == 0, do: [{ log: first in a }, { set: { n: 1 } }] }
        - { on: connect, in: a, do: [{ log: then in a }, { enter: b }] }
        - { on: connect, do: [{ log: else }, { enter: a }, { set: { n: 0 } }] }
      """,
      """
      +
      * first in a
      2+
      * then in a
      -
      +
      * in b
      2-
      2+
      * else
      -
      +
      * first in a
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test
  func `without a place, a message is waited for where frames are made, else on all; never at the wire`()
    throws
  {
    let rules = """
      messages: { hello: "01" }
      rules:
        - { on: { receive: hello }, do: { log: hello } }

      """
    try expect(
      rules,
      """
      > in 01
      * hello
      > data 01
      * hello
      ] 01
      """)
    try expect(
      rules + "framing: { data: { size: 1 } }",
      """
      > in 01
      > data 01
      * hello
      ] 01
      """)
  }

}
