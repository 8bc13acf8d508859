import Testing

/// Values for the central whose event has caused them.
@Suite struct AskerTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "what a central causes goes to it alone, also after a wait, by a timer and by a state",
      """
      states: [idle, busy]
      services:
        - uuid: FFE0
          characteristics:
            - { id: point, uuid: FFE1, properties: [write, notify], recipients: asker }
            - { id: state, uuid: FFE2, properties: [notify] }
      rules:
        - { on: { receive: { bytes: "01" } }, do: [{ send: { bytes: "A1" } }, { wait: 1s }, { send: { bytes: "A2" } }, { send: { bytes: "B1" }, to: state }] }
        - { on: { receive: { bytes: "02" } }, do: { start: tick, every: 1s } }
        - { on: { receive: { bytes: "03" } }, do: { enter: busy } }
        - { on: { timer: tick }, do: [{ send: { bytes: "A3" }, to: point }, { if: uptime >= 3000, then: { stop: tick } }] }
        - { on: { enter: busy }, do: [{ send: { bytes: "A4" }, to: point }, { wait: 5ms }, { send: { bytes: "A5" }, to: point }] }
        - { on: { receive: any, from: wire }, do: { send: { bytes: "A6" }, to: point } }
        - { on: start, do: { log: on } }
      """,
      """
      start
      * on
      +
      2+
      > point 01
      < point A1 to 4C:32:75:0A:11:9E
      waits until 1000 ms
      2> point 02
      timer tick at 1000 ms
      2000 ms
      < point A2 to 4C:32:75:0A:11:9E
      < state B1
      timer tick at 2000 ms
      < point A3 to 4C:32:75:0A:11:9F
      timer tick at 3000 ms
      < point A3 to 4C:32:75:0A:11:9F
      > point 03
      < point A4 to 4C:32:75:0A:11:9E
      waits until 2005 ms
      5 ms
      < point A5 to 4C:32:75:0A:11:9E
      ] 00
      < point A6
      995 ms
      timer tick at 4000 ms
      < point A3 to 4C:32:75:0A:11:9F
      no timer tick
      """)
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }
}
