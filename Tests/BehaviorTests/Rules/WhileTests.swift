import Testing

/// Rules that last while the device is in a state.
@Suite struct WhileTests {
  private static let states = """
    states: [idle, measuring]
    messages: { go: "01", stop: "02" }
    rules:
      - { on: { receive: go }, do: { enter: measuring } }
      - { on: { receive: stop }, do: { enter: idle } }

    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "a wait in a repetition ends when the state is left",
      Self.states
        + """
          - on: { enter: measuring }
            while: measuring
            do: [{ repeat: 3, do: [{ log: tick }, { wait: 10ms }] }, { log: done }]
        """,
      """
      > in 01
      * tick
      waits until 10 ms
      10 ms
      * tick
      waits until 20 ms
      > in 02
      waits no more
      30 ms
      > in 01
      * tick
      waits until 50 ms
      30 ms
      * tick
      waits until 60 ms
      * tick
      waits until 70 ms
      * done
      """),
    Scenario(
      "a state that is entered again begins anew",
      Self.states
        + """
          - on: { enter: measuring }
            while: measuring
            do: [{ log: begins }, { wait: 10ms }, { log: ends }]
        """,
      """
      > in 01
      * begins
      waits until 10 ms
      5 ms
      > in 01
      waits no more
      * begins
      waits until 15 ms
      10 ms
      * ends
      """),
    Scenario(
      "a rule without it goes on",
      Self.states
        + """
          - on: { enter: measuring }
            in: measuring
            do: [{ wait: 10ms }, { log: ends }]
        """,
      """
      > in 01
      waits until 10 ms
      > in 02
      10 ms
      * ends
      """),
    Scenario(
      "what a rule held is released",
      """
      framing: { in: { size: 1 } }
      states: [idle, busy]
      messages: { go: "01", stop: "02", n: "{n: u8}" }
      rules:
        - { on: { receive: stop, from: data }, do: { enter: idle } }
        - { on: { receive: go }, do: { enter: busy } }
        - { on: { enter: busy }, while: busy, do: [{ hold: in }, { wait: 10ms }, { release: in }] }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      > in 01
      waits until 10 ms
      > in 05
      > data 02
      waits no more
      * 5
      > in 06
      * 6
      """),
    Scenario(
      "a rule that leaves its state itself goes on to its next wait",
      """
      framing: { in: { size: 1 } }
      states: [idle, busy]
      messages: { go: "01", n: "{n: u8}" }
      rules:
        - { on: { receive: go }, do: { enter: busy } }
        - on: { enter: busy }
          while: busy
          do: [{ hold: in }, { log: a }, { enter: idle }, { log: b }, { wait: 1ms }, { log: c }, { release: in }]
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      > in 01 05
      * a
      * b
      * 5
      5 ms
      """),
    Scenario(
      "a group of rules lasts in several states, and fires in no others",
      """
      states: [idle, slow, fast]
      messages: { go: "01", idle: "0A", slow: "0B", fast: "0C" }
      rules:
        - while: [slow, fast]
          rules:
            - { on: { receive: go }, do: [{ log: begins }, { wait: 10ms }, { log: ends }] }
        - { on: { receive: idle }, do: { enter: idle } }
        - { on: { receive: slow }, do: { enter: slow } }
        - { on: { receive: fast }, do: { enter: fast } }
      """,
      """
      > in 01
      ! in 01: no rule takes it
      > in 0B
      > in 01
      * begins
      waits until 10 ms
      > in 0C
      10 ms
      * ends
      > in 01
      * begins
      waits until 20 ms
      > in 0A
      waits no more
      10 ms
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
