import Testing

/// `{ if: …, then: … }` and `end`
@Suite struct BlockTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "several actions have one condition, which is asked once",
      """
      variables: { n: { type: integer, default: 0 } }
      rules:
        - on: connect
          do:
            - if: n == 0
              then: [{ set: { n: 1 } }, { log: first }, { if: n == 1, then: { log: inside } }]
            - { if: n > 1, then: [{ log: never }] }
            - { log: behind }
      """,
      """
      +
      * first
      * inside
      * behind
      2+
      * behind
      """),
    Scenario(
      "a wait inside a block goes on inside it",
      """
      rules:
        - on: connect
          do:
            - repeat: 2
              index: i
              do:
                - { if: i == 0, then: [{ log: a }, { wait: 10ms }, { log: b }] }
                - { log: "{i}" }
            - { log: done }
      """,
      """
      +
      * a
      waits until 10 ms
      10 ms
      * b
      * 0
      * 1
      * done
      """),
    Scenario(
      "end ends the rule, at any depth",
      """
      messages: { n: "{n: u8}" }
      rules:
        - on: { receive: n }
          do:
            - { repeat: 3, index: i, do: [{ log: "{i}" }, { if: i == n, then: [{ log: enough }, end] }] }
            - { log: done }
      """,
      """
      > in 01
      * 0
      * 1
      * enough
      > in 05
      * 0
      * 1
      * 2
      * done
      """),
    Scenario(
      "a rule without actions keeps later rules from firing",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, if: n > 5, do: end }
        - { on: { receive: n }, do: { log: "{n}" } }
      """,
      """
      > in 06
      > in 05
      * 5
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
