import Testing

/// `link: { centrals: N }`
@Suite struct CentralLimitTests {
  static let rules = """
    link: { centrals: 1 }
    advertisement: { local-name: Belt }
    messages: { n: "{n: u8}" }
    rules:
      - { on: connect, do: { log: "{centrals}" } }
      - { on: disconnect, do: { log: "gone, {centrals}" } }
      - { on: { receive: n }, do: { log: "{n}" } }
      - { on: { subscribe: out }, do: { log: subscribed } }
      - { on: { unsubscribe: out }, do: { log: "unsubscribed, {subscribed(out)}" } }
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "advertising stops when so many are connected, and goes on when one leaves",
      Self.rules,
      """
      +
      does not advertise
      * 1
      -
      advertises Belt
      * gone, 0
      2+
      does not advertise
      * 1
      """),
    Scenario(
      "a central beyond the limit is turned away, and no rule fires",
      Self.rules,
      """
      +
      does not advertise
      * 1
      +out
      * subscribed
      2+
      ! 4C:32:75:0A:11:9F is turned away, as 1 is the limit
      disconnects 4C:32:75:0A:11:9F
      2+out
      2> in 05
      x Insufficient Authorization (0x08)
      2? data
      x Insufficient Authorization (0x08)
      > in 06
      * 6
      2-
      2-out
      -out
      * unsubscribed, false
      -
      advertises Belt
      * gone, 0
      2+
      does not advertise
      * 1
      2> in 05
      * 5
      """),
    Scenario(
      "two have room where two are allowed",
      """
      link: { centrals: 2 }
      rules:
        - { on: connect, do: { log: "{centrals}" } }
      """,
      """
      +
      * 1
      2+
      does not advertise
      * 2
      -
      advertises no name
      -
      +
      does not advertise
      * 2
      """),
    Scenario(
      "a rule that stops advertising keeps it off when there is room again",
      """
      link: { centrals: 1 }
      messages: { off: "00", on: "01" }
      rules:
        - { on: { receive: off }, do: { advertise: false } }
        - { on: { receive: "on" }, do: { advertise: true } }
      """,
      """
      +
      does not advertise
      > in 01
      > in 00
      -
      +
      > in 01
      -
      advertises no name
      """),
    Scenario(
      "a central that is reported twice counts once",
      Self.rules.replacing("centrals: 1 }", with: "centrals: 2 }"),
      """
      +
      * 1
      +
      2+
      does not advertise
      * 2
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
