import Testing

/// Timers of which each central has its own.
@Suite struct CentralTimerTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "each central has a timer of its own, which ends with its link",
      """
      variables: { count: { type: integer, default: 0, per: central } }
      rules:
        - { on: connect, do: { start: idle, after: 5s, per: central } }
        - { on: { receive: { bytes: "01" }, from: in }, do: [{ start: idle, after: 5s, per: central }, { set: { count: count + 1 } }] }
        - { on: { receive: { bytes: "02" }, from: in }, do: { stop: idle } }
        - { on: { timer: idle }, do: [{ log: "{count}" }, { wait: 1s }, { disconnect: central }] }
        - { on: { receive: any, from: wire }, do: { stop: idle } }
        - { on: { enter: busy }, do: { start: idle, after: 1s, per: central } }
        - { on: { receive: { bytes: "03" }, from: in }, do: { enter: busy } }
      states: [quiet, busy]
      """,
      """
      +
      timer idle of 4C:32:75:0A:11:9E at 5000 ms
      1000 ms
      2+
      timer idle of 4C:32:75:0A:11:9F at 6000 ms
      > in 01
      timer idle of 4C:32:75:0A:11:9E at 6000 ms
      4000 ms
      2> in 02
      no timer idle of 4C:32:75:0A:11:9F
      1000 ms
      * 1
      waits until 7000 ms
      1000 ms
      disconnects 4C:32:75:0A:11:9E
      2> in 01
      timer idle of 4C:32:75:0A:11:9F at 12000 ms
      > in 01
      timer idle of 4C:32:75:0A:11:9E at 12000 ms
      -
      no timer idle of 4C:32:75:0A:11:9E
      2> in 03
      timer idle of 4C:32:75:0A:11:9F at 8000 ms
      ] 00
      no timer idle of 4C:32:75:0A:11:9F
      """),
    Scenario(
      "without a central there is no timer of one",
      """
      states: [quiet, busy]
      rules:
        - { on: { enter: busy }, do: { start: idle, after: 1s, per: central } }
        - { on: { receive: any, from: wire }, do: { enter: busy } }
        - { on: { timer: idle }, do: { log: late } }
      """,
      """
      +
      ] 00
      * line 5: no central has caused this, and each has a timer 'idle' of its own
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }
}
