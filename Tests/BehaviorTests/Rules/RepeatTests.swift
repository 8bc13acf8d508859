import Testing

@Suite struct RepeatTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "something is done so often, and the index counts from 0",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, do: [{ repeat: n, index: i, do: { send: n, with: { n: i * 2 }, to: out } }, { log: done }] }
      """,
      """
      > in 03
      < out 00
      < out 02
      < out 04
      * done
      > in 01
      < out 00
      * done
      > in 00
      * done
      """),
    Scenario(
      "a number below 0 is none",
      """
      messages: { n: "{n: i8}" }
      rules:
        - { on: { receive: n }, do: [{ repeat: n, do: { log: never } }, { log: done }] }
      """,
      """
      > in FF
      * done
      """),
    Scenario(
      "a repeat may contain a wait, and the rule continues after it",
      """
      rules:
        - on: connect
          do:
            - repeat: 3
              index: i
              do: [{ log: "{i}" }, { if: i < 2, wait: 10ms }]
            - { log: done }
      """,
      """
      +
      * 0
      waits until 10 ms
      10 ms
      * 1
      waits until 20 ms
      10 ms
      * 2
      * done
      """),
    Scenario(
      "two rows of one inside the other",
      """
      rules:
        - on: connect
          do:
            - repeat: 2
              index: row
              do:
                - { repeat: row + 1, index: column, do: [{ log: "{row} {column}" }, { wait: 1ms }] }
                - { log: "row {row}" }
      """,
      """
      +
      * 0 0
      waits until 1 ms
      10 ms
      * row 0
      * 1 0
      waits until 2 ms
      * 1 1
      waits until 3 ms
      * row 1
      """),
    Scenario(
      "the count is settled at the beginning",
      """
      variables: { n: { type: integer, default: 2 } }
      rules:
        - { on: connect, do: { repeat: n, do: [{ set: { n: n + 1 } }, { log: "{n}" }] } }
      """,
      """
      +
      * 3
      * 4
      """),
    Scenario(
      "two runs of a rule count for themselves",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, do: { repeat: 2, index: i, do: [{ wait: 10ms }, { log: "{n}.{i}" }] } }
      """,
      """
      > in 01
      waits until 10 ms
      5 ms
      > in 02
      waits until 15 ms
      15 ms
      * 1.0
      waits until 20 ms
      * 2.0
      waits until 25 ms
      * 1.1
      5 ms
      * 2.1
      """),
    Scenario(
      "a repeat has a condition of its own",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, do: [{ if: n > 1, repeat: n, do: { log: again } }, { log: done }] }
      """,
      """
      > in 01
      * done
      > in 02
      * again
      * again
      * done
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
