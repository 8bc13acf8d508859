import Testing

/// Timers that rules start and stop.
@Suite struct TimerTests {
  static let rules = """
    messages: { once: "01", again: "02", stop: "03", slower: "04" }
    rules:
      - { on: { receive: once }, do: { start: tick, after: 100ms } }
      - { on: { receive: again }, do: { start: tick, every: 100ms } }
      - { on: { receive: slower }, do: { start: tick, every: 150ms + 50ms } }
      - { on: { receive: stop }, do: { stop: tick } }
      - { on: { timer: tick }, do: { log: "{uptime}" } }
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "after a time it runs out once",
      Self.rules,
      """
      start
      > in 01
      timer tick at 100 ms
      99 ms
      1 ms
      * 100
      1000 ms
      """),
    Scenario(
      "every so often it runs out again",
      Self.rules,
      """
      start
      > in 02
      timer tick at 100 ms
      250 ms
      timer tick at 200 ms
      * 100
      timer tick at 300 ms
      * 200
      """),
    Scenario(
      "one that runs is started anew, also with another time",
      Self.rules,
      """
      start
      > in 01
      timer tick at 100 ms
      60 ms
      > in 01
      timer tick at 160 ms
      60 ms
      > in 04
      timer tick at 320 ms
      200 ms
      timer tick at 520 ms
      * 320
      > in 01
      timer tick at 420 ms
      200 ms
      * 420
      """),
    Scenario(
      "a stopped one does not run out, and to stop it twice is nothing",
      Self.rules,
      """
      start
      > in 03
      > in 02
      timer tick at 100 ms
      100 ms
      timer tick at 200 ms
      * 100
      > in 03
      no timer tick
      > in 03
      1000 ms
      """),
    Scenario(
      "a rule stops or restarts the timer that set it off",
      """
      variables: { n: { type: integer, default: 0 } }
      rules:
        - { on: start, do: { start: tick, every: 10ms } }
        - on: { timer: tick }
          do:
            - { set: { n: n + 1 } }
            - { log: "{n}" }
            - { if: n == 2, start: tick, every: 25ms }
            - { if: n == 3, stop: tick }
      """,
      """
      start
      timer tick at 10 ms
      100 ms
      timer tick at 20 ms
      * 1
      timer tick at 30 ms
      * 2
      timer tick at 45 ms
      timer tick at 70 ms
      * 3
      no timer tick
      """),
    Scenario(
      "timers have no rule of their own order but time, and then the start",
      """
      rules:
        - { on: start, do: [{ start: b, after: 20ms }, { start: a, after: 20ms }, { start: c, after: 10ms }] }
        - { on: { timer: a }, do: { log: a } }
        - { on: { timer: b }, do: { log: b } }
        - { on: { timer: c }, do: { log: c } }
      """,
      """
      start
      timer b at 20 ms
      timer a at 20 ms
      timer c at 10 ms
      20 ms
      * c
      * b
      * a
      """),
    Scenario(
      "a central that disconnects does not end timers",
      Self.rules,
      """
      start
      +
      > in 01
      timer tick at 100 ms
      -
      100 ms
      * 100
      """),
    Scenario(
      "without a time it fires at once, and at most once in a millisecond",
      """
      messages: { go: "01" }
      rules:
        - { on: { receive: go }, do: [{ start: tick, after: 0ms }, { wait: 0ms }, { log: first }] }
        - { on: { timer: tick }, do: [{ log: "{uptime}" }, { start: tick, after: 0ms }] }
      """,
      """
      start
      > in 01
      timer tick at 0 ms
      * first
      2 ms
      * 0
      timer tick at 1 ms
      * 1
      timer tick at 2 ms
      * 2
      timer tick at 3 ms
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
