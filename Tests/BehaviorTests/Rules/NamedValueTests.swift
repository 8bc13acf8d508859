import Testing

/// `values`, decimal variables, `answers` and a bridge between two characteristics.
@Suite struct NamedValueTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "a named value has the present value of its expression",
      """
      variables: { n: { type: integer, default: 1 } }
      values: { double: n * 2, quadruple: double * 2, text: "if(quadruple > 4, 'much', 'little')" }
      rules:
        - { on: connect, do: [{ log: "{quadruple} {text}" }, { set: { n: quadruple } }, { log: "{double} {text}" }] }
      """,
      """
      +
      * 4 little
      * 8 much
      """),
    Scenario(
      "a whole number set where a decimal one belongs is one, and keeps to its limits",
      """
      settings: { heat: { type: decimal, min: 30, max: 42.5, default: 36.6 } }
      messages: { n: "{n: u8}" }
      rules:
        - { on: { receive: n }, if: n < 50, do: [{ set: { heat: n } }, { log: "{heat} {heat / 2}" }] }
        - { on: { receive: n }, do: [{ set: { heat: n } }, { log: never }] }
        - { on: connect, do: [{ set: { heat: 40 } }, { log: "{heat}" }] }
      """,
      """
      > in 1F
      keeps 31.0
      * 31.0 15.5
      > in 2B
      * line 6: 'heat': 43.0 is not in 30.0…42.5
      > in 63
      * line 7: 'heat': 99.0 is not in 30.0…42.5
      +
      keeps 40.0
      * 40.0
      """),
    Scenario(
      "answers go where a characteristic wants them, the rest over the bridge",
      """
      \(two)rules:
        - { on: { receive: { text: "AT" } }, do: { send: { text: OK } } }
        - { on: { receive: { text: "+{rest: text}" } }, do: [{ log: "{rest}" }, bridge, { send: { text: "!" } }] }
        - { on: { receive: any, from: wire }, if: frame.size == 1, do: [{ wait: 10ms }, bridge] }
      """,
      """
      > inlet 41 54 0A 42 0A
      < outlet 4F 4B
      [ 42 0A
      > inlet 2B 43 0A
      * C
      [ 2B 43 0A
      < outlet 21
      ] 01 02
      < outlet 01 02
      ] 03
      waits until 10 ms
      10 ms
      < outlet 03
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  static let two = """
    services:
      - uuid: FFE0
        characteristics:
          - { id: inlet, uuid: FFE1, properties: [write], answers: outlet }
          - { id: outlet, uuid: FFE2, properties: [notify] }
          - { id: other, uuid: FFE3, properties: [notify] }
    wire: { bridge: { from: inlet, to: outlet } }
    framing: { inlet: { delimiter: "0A" } }

    """

}
