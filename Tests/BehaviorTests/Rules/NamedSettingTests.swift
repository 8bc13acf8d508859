import Testing

/// Settings that a text names.
@Suite struct NamedSettingTests {
  private static let rules = """
    settings:
      level: { type: integer, min: 0, max: 9, default: 5 }
      mode: { type: text, one-of: [A, B], default: A }
      key: { type: bytes, max: 2, default: "0A 0B" }
      is-on: { type: boolean, default: true }
    messages: { ask: { text: "?{name: text}" }, change: { text: "{name: text(1..8)}={new: text}" } }
    rules:
      - { on: { receive: ask }, if: has-setting(name), do: { log: "{setting(name)}" } }
      - on: { receive: change, from: data }
        if: "can-set(name, new)"
        do: [{ set-setting: name, value: new }, { log: "{setting('level')}" }]
      - { on: { receive: change, from: in }, do: [{ set-setting: name, value: new }, { log: never }] }
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "are read as texts",
      Self.rules,
      """
      > in 3F 6C 65 76 65 6C
      * 5
      > in 3F 6B 65 79
      * 0A0B
      > in 3F 69 73 2D 6F 6E
      * true
      > in 3F 6E 6F 6E 65
      ! in 3F 6E 6F 6E 65: no rule takes it
      """),
    Scenario(
      "are set where they take the value",
      Self.rules,
      """
      > data 6C 65 76 65 6C 3D 37
      keeps 7, A, 0A 0B, true
      * 7
      > data 6D 6F 64 65 3D 42
      keeps 7, B, 0A 0B, true
      * 7
      > data 6B 65 79 3D 30 43
      keeps 7, B, 0C, true
      * 7
      > data 6B 65 79 3D 30
      ! data 6B 65 79 3D 30: no rule takes it
      > data 6C 65 76 65 6C 3D 31 30
      ! data 6C 65 76 65 6C 3D 31 30: no rule takes it
      > data 6E 6F 6E 65 3D 31
      ! data 6E 6F 6E 65 3D 31: no rule takes it
      """),
    Scenario(
      "end a rule where they do not",
      Self.rules,
      """
      > in 6C 65 76 65 6C 3D 31 30
      * line 14: 'level': 10 is not in 0…9
      > in 6C 65 76 65 6C 3D 78
      * line 14: 'level': 'x' is not an integer
      > in 6D 6F 64 65 3D 43
      * line 14: 'mode': 'C' is not one of A, B
      > in 6E 6F 6E 65 3D 31
      * line 14: no setting 'none'
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
