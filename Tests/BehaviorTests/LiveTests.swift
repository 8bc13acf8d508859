import TestSupport
import Testing

@testable import Behavior

/// Attributes whose values follow what they use.
@Suite struct LiveTests {
  private static let device = """
    variables: { n: { type: integer, min: 0, max: 255, default: 1 }, k: { type: integer, default: 1 } }
    services:
      - uuid: FFE0
        characteristics:
          - id: live
            uuid: FFE1
            properties: [read, write, notify]
            value: "{n: u8}"
            live: true
            descriptors: [{ uuid: 2904, value: "{n + 1: u8}", live: true }, { uuid: 2901, value: "{n: u8}" }]
          - { id: still, uuid: FFE2, properties: [read, notify], value: "{n: u8}" }
          - { id: read, uuid: FFE6, properties: [read, notify], text: "{n}", live: on-read }
          - { id: free, uuid: FFE7, properties: [notify], cccd: none, value: "{n: u8}", live: true }
          - { id: w, uuid: FFE3, properties: [write] }
          - { id: lone, uuid: FFE4, properties: [read], value: "{100 // k: u8}", live: true }
          - { id: broken, uuid: FFE5, properties: [notify], value: "{100 // k: u8}", live: true }
    rules:
      - { on: { receive: { bytes: "01 {m: u8}" }, from: w }, do: { set: { n: m } } }
      - { on: { receive: { bytes: "02 {m: u8}" }, from: w }, do: [{ set: { n: m } }, { send: { bytes: "{n: u8}" }, to: live }] }
      - { on: { receive: { bytes: "03" }, from: w }, do: [{ set: { n: 9 } }, { set: { n: 1 } }] }
      - { on: { receive: { bytes: "04" }, from: w }, do: [{ set: { n: 7 } }, { wait: 10ms }, { set: { n: 8 } }] }
      - { on: { receive: { bytes: "05 {m: u8}" }, from: w }, do: { set: { k: m } } }
      - { on: { receive: { bytes: "06" }, from: w }, do: { send: { bytes: "EE" }, to: live } }
    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "a read has the value of the moment, and a still value stays",
      """
      ? live
      = 01
      > w 01 05
      ? live
      = 05
      ? live/0
      = 06
      ? live/1
      = 01
      ? still
      = 01
      """),
    Scenario(
      "nobody gets it without a subscription, and a subscriber gets changes only",
      """
      > w 01 05
      +live
      +still
      > w 01 05
      > w 01 06
      < live 06
      > w 01 06
      -live
      > w 01 07
      +live
      > w 01 07
      """),
    Scenario(
      "what a rule has sent is not sent again, and other values of the characteristic do not count",
      """
      +live
      > w 02 05
      < live 05
      > w 02 05
      < live 05
      > w 06
      < live EE
      > w 01 05
      ? live
      = 05
      > w 01 04
      < live 04
      """),
    Scenario(
      "an event sends one value, that of its end; a rule that waits sends one before",
      """
      +live
      > w 03
      > w 04
      waits until 10 ms
      < live 07
      10 ms
      < live 08
      """),
    Scenario(
      "a written value is not kept",
      """
      > live 33
      ? live
      = 01
      """),
    Scenario(
      "without a subscription to ask for, each central gets what changes while it is there",
      """
      +
      > w 01 01
      > w 01 04
      < free 04
      -
      > w 01 05
      +
      > w 01 05
      > w 01 06
      < free 06
      """),
    Scenario(
      "what a person sets is sent",
      """
      +live
      set n=8
      < live 08
      """),
    Scenario(
      "one that is live on reads alone is not sent",
      """
      +read
      > w 01 02
      ? read
      = 32
      """),
    Scenario(
      "a read in between hides no change",
      """
      > w 01 02
      +live
      ? live
      = 02
      > w 01 03
      < live 03
      """),
    Scenario(
      "a value that cannot be computed stays as it was",
      """
      ? lone
      = 64
      > w 05 00
      ? lone
      = 64
      * 'lone' keeps its value: division by zero
      > w 05 64
      ? lone
      = 01
      """),
    Scenario(
      "the log says once that a value cannot be computed",
      """
      +broken
      > w 05 00
      * 'broken' keeps its value: division by zero
      > w 01 05
      > w 05 64
      < broken 01
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    var conversation = try Conversation(definition(Self.device))
    #expect(conversation.play(scenario.transcript) == scenario.transcript, sourceLocation: scenario.place)
  }
}
