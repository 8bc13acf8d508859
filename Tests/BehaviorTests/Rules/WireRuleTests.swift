import Testing

/// Rules between the air and the wire side.
@Suite struct WireRuleTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "lines from the wire are frames, also when they come in pieces",
      """
      framing: { wire: { delimiter: "0D 0A", gap: 100ms } }
      messages: { line: "{line: text}" }
      rules:
        - { on: { receive: line, from: wire }, do: [{ log: "{line}" }, { send: line, to: out }, { send: line }] }
      """,
      """
      ] 41 54 0D
      timer at 100 ms
      50 ms
      ] 0A 4F 4B 0D 0A 2B
      * AT
      < out 41 54
      [ 41 54
      * OK
      < out 4F 4B
      [ 4F 4B
      timer at 150 ms
      100 ms
      ! wire 2B: unfinished after 100 ms of silence
      """),
    Scenario(
      "silence ends a frame of the wire",
      """
      framing: { wire: { idle: 20ms, max: 4 } }
      messages: { line: "{line: text}" }
      rules:
        - { on: { receive: line, from: wire }, do: { log: "{line}" } }
      """,
      """
      ] 41
      timer at 20 ms
      10 ms
      ] 54
      timer at 30 ms
      20 ms
      * AT
      ] 41 54 2B 31 32 33
      * AT+1
      timer at 50 ms
      20 ms
      * 23
      """),
    Scenario(
      "a frame that no rule takes crosses the bridge unchanged",
      Self.bridged,
      """
      > data 41 54 0D 0A 48 69 0D 0A
      < data 41 54
      [ 48 69 0D 0A
      > data 0D 0A
      [ 0D 0A
      ] A5 06 A3
      * 6
      ] A5 05 A0
      < data A5 05 A0
      ] A5 05 A1 00 00 A5
      < data A5 05 A1
      < data 00 00
      ] 07 A2
      * 7
      """),
    Scenario(
      "bytes outside frames cross the bridge, too, even those of a central that disconnects",
      Self.bridged,
      """
      +
      > data 48 69
      -
      [ 48 69
      """),
    Scenario(
      "rules may take frames from one side only",
      """
      wire: { bridge: data }
      rules:
        - { on: { receive: any, from: wire }, if: "frame[0] == 65", do: { log: "{frame}" } }
      """,
      """
      > data 41 54
      [ 41 54
      ] 41 54
      * 41 54
      ] 42 54
      < data 42 54
      """),
    Scenario(
      "a rule sends to both sides",
      """
      messages: { n: "{n: u8}" }
      rules:
        - { on: { subscribe: out }, do: [{ send: n, with: { n: 1 } }, { send: n, with: { n: 2 }, to: wire }] }
      """,
      """
      +out
      < out 01
      [ 02
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  static let bridged = """
    wire: { bridge: data }
    framing:
      data: { delimiter: "0D 0A" }
      wire: { start: A5, size: 3, check: xor8 }
    messages: { at: "41 54", set: "A5 {n: u8} {xor8}" }
    rules:
      - { on: { receive: at }, do: { send: at } }
      - { on: { receive: set, from: wire }, if: n > 5, do: { log: "{n}" } }

    """

}
