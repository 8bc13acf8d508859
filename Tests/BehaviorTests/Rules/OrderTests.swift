import Testing

/// What is done before what.
@Suite struct OrderTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "actions are done in order, each if its own condition holds then",
      """
      variables: { n: { type: integer, default: 0 } }
      messages: { n: "{n: u8}" }
      rules:
        - on: connect
          do:
            - { send: n, to: out }
            - { set: { n: n + 1 } }
            - { if: n == 1, send: n, to: data }
            - { if: n == 2, log: never }
            - { set: { n: n * 5 } }
            - { send: n, to: wire }
            - { if: n == 5, log: "{n}" }
      """,
      """
      +
      < out 00
      < data 01
      [ 05
      * 5
      """),
    Scenario(
      "the consequences of a rule are handled after it has ended",
      """
      states: [a, b, c]
      rules:
        - { on: connect, do: [{ enter: b }, { log: "now {state}" }, { enter: c }, { log: done }] }
        - { on: { leave: a }, do: { log: "left a, {state}" } }
        - { on: { enter: b }, do: { log: "entered b, {state}" } }
        - { on: { leave: b }, do: { log: "left b, {state}" } }
        - { on: { enter: c }, do: [{ log: "entered c, {state}" }, { enter: a }] }
        - { on: { leave: c }, do: { log: left c } }
        - { on: { enter: a }, do: { log: entered a } }
      """,
      """
      +
      * now b
      * done
      * left a, c
      * entered b, c
      * left b, c
      * entered c, c
      * left c
      * entered a
      """),
    Scenario(
      "the consequences of a rule are handled before the next frame of the same write",
      """
      framing: { in: { size: 1 } }
      states: [idle, busy]
      messages: { go: "01", stop: "02" }
      rules:
        - { on: { receive: go }, in: idle, do: [{ log: go }, { enter: busy }] }
        - { on: { receive: stop }, in: busy, do: [{ log: stop }, { enter: idle }] }
        - { on: { enter: busy }, do: { log: busy } }
        - { on: { enter: idle }, do: { log: idle } }
      """,
      """
      > in 01 02 01 01
      * go
      * busy
      * stop
      * idle
      * go
      * busy
      ! in 01: no rule takes it
      """),
    Scenario(
      "to enter the present state is to leave it and to enter it",
      """
      states: [only]
      rules:
        - { on: connect, do: { enter: only } }
        - { on: { leave: only }, do: { log: left } }
        - { on: { enter: only }, do: { log: entered } }
      """,
      """
      start
      +
      * left
      * entered
      """),
    Scenario(
      "the consequences of a rule are handled when it waits",
      """
      states: [a, b]
      rules:
        - { on: connect, do: [{ enter: b }, { log: before }, { wait: 10ms }, { log: after }] }
        - { on: { enter: b }, do: { log: b } }
      """,
      """
      +
      * before
      waits until 10 ms
      * b
      10 ms
      * after
      """),
    Scenario(
      "a rule of a state sees the state that is, not the one that was",
      """
      states: [a, b]
      rules:
        - { on: connect, do: { enter: b } }
        - { on: { leave: a }, in: a, do: { log: still a } }
        - { on: { leave: a }, in: b, do: { log: already b } }
      """,
      """
      +
      * already b
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
