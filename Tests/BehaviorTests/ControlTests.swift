import Testing

/// What a person does at the device.
@Suite struct ControlTests {
  private static let lamp = """
    settings:
      level: { type: integer, min: 0, max: 100, default: 50 }
      is-on: { type: boolean, default: false }
    variables: { presses: { type: integer, default: 0 } }
    controls:
      button: { do: [ { send: pressed, to: out } ] }
      switch: { set: is-on }
      slider: { set: level }
    messages: { pressed: "01", level-report: "02 {level: u8}" }
    services:
      - uuid: FFE0
        characteristics:
          - { id: in, uuid: FFE1, properties: [write] }
          - { id: out, uuid: FFE2, properties: [notify] }
          - { id: level, uuid: FFE3, properties: [read, write], value: "{level: u8}" }
          - { id: name, uuid: FFE4, properties: [read, write], value: "4E" }
    rules:
      - { on: { set: level }, do: { send: level-report, to: out } }
      - { on: { control: switch }, do: { log: "switched to {is-on}" } }
      - { on: { control: button }, if: is-on, do: [ { set: { presses: presses + 1 } }, { log: "{presses}" } ] }
      - { on: { receive: any, from: in }, do: { set: { level: 7 } } }
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "the actions of a button follow the rules of the file",
      Self.lamp,
      """
      press button
      < out 01
      press switch
      keeps 50, true
      * switched to true
      press button
      * 1
      """),
    Scenario(
      "a switch without a value turns, a slider does not",
      Self.lamp,
      """
      press switch
      keeps 50, true
      * switched to true
      press switch
      keeps 50, false
      * switched to false
      press switch=false
      keeps 50, false
      * switched to false
      press slider
      """),
    Scenario(
      "a bound control sets its setting with all that follows",
      Self.lamp,
      """
      press slider=9
      keeps 9, false
      < out 02 09
      ? level
      = 09
      """),
    Scenario(
      "an attribute keeps what a central has written unless its value depends on what is set",
      Self.lamp,
      """
      > level 63
      > name 41
      set is-on=true
      keeps 50, true
      ? level
      = 63
      set level=50
      keeps 50, true
      < out 02 32
      ? level
      = 63
      set level=51
      keeps 51, true
      < out 02 33
      ? level
      = 33
      ? name
      = 41
      """),
    Scenario(
      "what a rule sets is not set from outside",
      Self.lamp,
      """
      > in 00
      keeps 7, false
      ? level
      = 32
      """),
    Scenario(
      "a variable is set and not kept",
      Self.lamp,
      """
      set presses=6
      press switch
      keeps 50, true
      * switched to true
      press button
      * 7
      reset
      advertises no name
      press button
      * 1
      """),
    Scenario(
      "the advertisement is renewed if it has other values",
      """
      settings: { name: { type: text, default: Belt }, level: { type: integer, max: 9, default: 5 } }
      advertisement: { local-name: "{name}" }
      """,
      """
      set level=6
      keeps Belt, 6
      set level=7 name=Lamp
      keeps Lamp, 7
      advertises Lamp
      set name=Lamp
      keeps Lamp, 7
      advertise false
      does not advertise
      set name=Desk
      keeps Desk, 7
      advertise true
      advertises Desk
      """),
    Scenario(
      "a value that its limits do not allow is not set",
      """
      settings: { level: { type: integer, max: 9, default: 5 }, other: { type: integer, default: 0 } }
      controls: { slider: { set: level } }
      rules:
        - { on: { set: level }, do: { log: never } }
        - { on: { control: slider }, do: { log: never } }
        - { on: { set: other }, do: { log: "{level}" } }
      """,
      """
      set level=10 other=1
      keeps 5, 1
      * not set: 'level': 10 is not in -9223372036854775808…9
      * 5
      press slider=10
      * not set: 'level': 10 is not in -9223372036854775808…9
      """),
    Scenario(
      "an attribute that has no such value keeps the one that it has",
      """
      settings: { level: { type: integer, default: 5 } }
      services:
        - uuid: FFE0
          characteristics:
            - { id: level, uuid: FFE1, properties: [read], value: "{level: u8}", descriptors: [{ uuid: 2901, value: "{level: u8}" }] }
      """,
      """
      set level=6
      keeps 6
      ? level/0
      = 06
      set level=256
      keeps 256
      * 'level' keeps its value: 256 is not in 0…255
      * 'level/2901' keeps its value: 256 is not in 0…255
      ? level
      = 06
      """),
    Scenario(
      "values are sent to all subscribers or to one",
      """
      framing: { out: { encode: "value + value" } }
      """,
      """
      send data 01 02
      < data 01 02
      ? data
      = 01 02
      send data 03 to 2
      < data 03 to 4C:32:75:0A:11:9F
      send out 05
      plain out 05
      < out 05 05
      send wire 41
      [ 41
      """),
    Scenario(
      "bytes that cannot be encoded are not sent",
      """
      framing: { out: { encode: "value.slice(0, 1 // (value.size - 1))" } }
      """,
      """
      send out 05
      * 'out' sends nothing: division by zero
      """),
    Scenario(
      "a reset from outside, or by the rule of a control, starts the device again",
      """
      controls: { power: {} }
      rules:
        - { on: start, do: { log: started } }
        - { on: { control: power }, do: [reset] }
      """,
      """
      reset
      advertises no name
      * started
      press power
      advertises no name
      * started
      disconnect
      disconnects all
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
