import TestSupport
import Testing

/// Several frames at once, and what their rules cause.
@Suite struct FrameOrderTests {
  private func expect(
    _ rules: String, _ transcript: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var conversation = try Conversation(definition(RuleTests.services + rules))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "the consequences of a frame come before the next frame of the same write",
      """
      states: [off, on]
      framing: { in: { size: 1 } }
      rules:
        - { on: { receive: { bytes: "01" } }, do: [{ enter: on }, { log: first }] }
        - { on: { receive: { bytes: "02" } }, in: on, do: { log: second } }
        - { on: { leave: off }, do: { log: "off no more" } }
        - { on: { enter: on }, do: { log: "on, {state}" } }
      """,
      """
      > in 01 02 02
      * first
      * off no more
      * on, on
      * second
      * second
      """),
    Scenario(
      "the consequences of a write rule come before the frames of the write",
      """
      states: [off, on]
      rules:
        - { on: { write: in }, in: off, do: { enter: on } }
        - { on: { enter: on }, do: { log: on } }
        - { on: { receive: any, from: in }, do: { log: frame } }
      """,
      """
      > in 01
      * on
      * frame
      > in 02
      * frame
      """),
    Scenario(
      "the consequences of a released frame come before the next one",
      """
      states: [off, on]
      framing: { in: { size: 1 } }
      rules:
        - { on: connect, do: { hold: in } }
        - { on: { receive: { bytes: "01" } }, do: [{ enter: on }, { log: first }] }
        - { on: { receive: { bytes: "02" } }, do: { log: second } }
        - { on: { enter: on }, do: { log: on } }
        - { on: { receive: any, from: both }, do: { release: in } }
      """,
      """
      +
      > in 01 02
      > in 02
      > both 00
      * first
      * on
      * second
      * second
      """),
    Scenario(
      "a released frame whose rule holds again leaves the others waiting",
      """
      framing: { in: { size: 1 } }
      rules:
        - on: { receive: { bytes: "{byte: u8}" }, from: in }
          do: [{ hold: in }, { log: "{byte}" }, { start: next, after: 10ms }]
        - { on: { timer: next }, do: { release: in } }
      """,
      """
      > in 01 02
      * 1
      timer next at 10 ms
      > in 03
      10 ms
      * 2
      timer next at 20 ms
      10 ms
      * 3
      timer next at 30 ms
      10 ms
      > in 04
      * 4
      timer next at 40 ms
      """),
    Scenario(
      "a reset forgets frames that were released with the one that caused it",
      """
      rules:
        - { on: connect, do: { hold: in } }
        - { on: { receive: { bytes: "01" }, from: in }, do: reset }
        - { on: { receive: any, from: in }, do: { log: frame } }
        - { on: { receive: any, from: both }, do: { release: in } }
      """,
      """
      +
      > in 01
      > in 02
      > both 00
      disconnects all
      advertises no name
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

}
