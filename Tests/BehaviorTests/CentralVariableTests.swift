import TestSupport
import Testing

@testable import Behavior

/// Variables of which each central has its own.
@Suite struct CentralVariableTests {
  private static let device = definition(
    """
    services:
      - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify] }] }
    variables:
      count: { type: integer, min: 0, max: 99, default: 10, per: central }
      total: { type: integer, default: 0 }
    values: { seen: text(count) }
    rules:
      - on: { receive: { text: A } }
        do: [{ set: { count: count + 1, total: total + 1 } }, { send: { text: "{seen} {text(total)}" } }]
      - { on: { receive: { text: C } }, if: count > 10, do: { send: { text: more } } }
      - { on: { receive: { text: C } }, do: { send: { text: none } } }
      - { on: { receive: { text: W } }, do: [{ wait: 1s }, { set: { count: count + 5 } }, { send: { text: "{seen}" } }] }
      - { on: { receive: { text: S } }, do: { start: tick, after: 1s } }
      - { on: { receive: { text: R } }, do: reset }
      - { on: { receive: { text: L } }, do: { start: late, after: 1s } }
      - { on: { timer: late }, do: [{ wait: 1s }, { set: { count: 70 } }, { log: "late at {seen}" }] }
      - { on: { timer: tick }, do: [{ set: { count: 50 } }, { send: { text: "{seen}" }, to: serial }] }
      - { on: disconnect, do: { log: "bye at {seen}" } }
    """)

  private func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try Conversation(Self.device)
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "each central has its own value, the device the others",
      """
      +
      2+
      > serial 41
      < serial 31 31 20 31
      > serial 41
      < serial 31 32 20 32
      2> serial 41
      < serial 31 31 20 33
      > serial 41
      < serial 31 33 20 34
      """),
    Scenario(
      "a value ends with the connection",
      """
      +
      2+
      > serial 41
      < serial 31 31 20 31
      -
      * bye at 11
      2> serial 41
      < serial 31 31 20 32
      +
      > serial 41
      < serial 31 31 20 33
      2-
      * bye at 11
      """),
    Scenario(
      "a rule that has waited goes on with its central's value",
      """
      +
      2+
      > serial 57
      waits until 1000 ms
      2> serial 41
      < serial 31 31 20 31
      1000 ms
      < serial 31 35
      2> serial 41
      < serial 31 32 20 32
      """),
    Scenario(
      "a timer has the values of the central that connected last",
      """
      +
      2+
      > serial 53
      timer tick at 1000 ms
      1000 ms
      < serial 35 30
      > serial 41
      < serial 31 31 20 31
      2> serial 41
      < serial 35 31 20 32
      """),
    Scenario(
      "a reset gives all the initial value",
      """
      +
      2+
      > serial 41
      < serial 31 31 20 31
      2> serial 41
      < serial 31 31 20 32
      > serial 52
      disconnects all
      advertises no name
      > serial 41
      < serial 31 31 20 31
      2> serial 41
      < serial 31 31 20 32
      """),
    Scenario(
      "a rule that outlives its central leaves nothing to the next connection",
      """
      +
      > serial 4C
      timer late at 1000 ms
      1000 ms
      waits until 2000 ms
      -
      * bye at 10
      1000 ms
      * late at 70
      +
      > serial 41
      < serial 31 31 20 31
      """),
    Scenario(
      "a condition has the value of its central",
      """
      +
      2+
      > serial 41
      < serial 31 31 20 31
      2> serial 43
      < serial 6E 6F 6E 65
      > serial 43
      < serial 6D 6F 72 65
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.transcript, sourceLocation: scenario.place)
  }

}
