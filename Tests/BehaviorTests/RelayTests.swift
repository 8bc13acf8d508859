import Bluetooth
import Definitions
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// What a relay does itself, and what it gives to the device behind it.
@Suite struct RelayTests {
  private static let text = """
    services:
      - uuid: FFE0
        characteristics:
          - { id: port, uuid: FFE1, properties: [read, write, notify], value: "00" }
          - { id: plain, uuid: FFE2, properties: [read, write, notify], value: "01" }
    framing: { port: { delimiter: "0A" } }
    messages:
      ours: { text: "ME" }
      theirs: { text: "YOU" }
    rules:
      - { on: { receive: ours, from: port }, do: { send: { text: "I" } } }
      - { on: { read: plain }, if: subscribed(plain), do: { respond: { bytes: "07" } } }
      - { on: { write: plain }, if: size(value) > 2, do: { refuse: 0x80 } }

    """

  private func relay() throws -> Conversation {
    var definition = definition(Self.text)
    definition.isRelayed = true
    return try Conversation(definition)
  }

  private func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try relay()
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "the device answers what no rule does",
      """
      ? plain
      relays ? plain+0
      ? plain+4
      relays ? plain+4
      +plain
      relays +plain
      ? plain
      = 07
      > plain 01 02
      relays > plain 01 02
      > plain 01 02 03
      x Application Error (0x80)
      -plain
      relays -plain
      """),
    Scenario(
      "a message that a rule takes does not reach the device, and another one does once it is whole",
      """
      > port 4D 45 0A
      < port 49
      > port 59 4F
      > port 55 0A
      * theirs for port
      relays > port 59 4F, > port 55 0A
      > port 4D
      > port 45 0A
      < port 49
      """),
    Scenario(
      "a central that leaves takes the beginning of its message with it",
      """
      +
      > port 59 4F
      -
      ! port 59 4F: unfinished when the stream ended
      +
      > port 4D 45 0A
      < port 49
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `the last write of a message has the response of the device, and earlier ones are accepted`()
    throws
  {
    var engine = try relay().engine
    let write = { Event.writeRequested(nil, .characteristic(0), value: $0, offset: 0, .request) }
    #expect(engine.handle(write([0x41]), at: Instant()).response == .accepted)
    let outcome = engine.handle(write([0x0A]), at: Instant())
    #expect(outcome.response == nil && outcome.actions.contains(.relay([write([0x41]), write([0x0A])])))
    let refused = engine.handle(
      .intervention(.relayed(write([0x0A]), .refused(.writeNotPermitted))), at: Instant())
    #expect(refused.response == .refused(.writeNotPermitted))
  }

  @Test func `a subscription holds once the device has accepted it`() throws {
    let central = Conversation.centrals[0]
    let subscribe = Event.configuring(
      central, characteristic: 1, value: [1, 0], from: nil, to: .notification)
    for (answer, count) in [(Response.accepted, 1), (.refused(.insufficientAuthentication), 0)] {
      var engine = try relay().engine
      _ = engine.handle(.connected(central), at: Instant())
      let asked = engine.handle(subscribe, at: Instant())
      #expect(asked.response == nil && asked.actions == [.relay([subscribe])])
      #expect(engine.context.subscribers[1] == 0)
      let outcome = engine.handle(.intervention(.relayed(subscribe, answer)), at: Instant())
      #expect(outcome.response == answer)
      #expect(engine.context.subscribers[1] == count)
    }
  }

  @Test func `values of the device pass as they are, with the names of messages`() throws {
    var engine = try relay().engine
    #expect(
      engine.handle(.intervention(.passOn([0x4D, 0x45], from: 1)), at: Instant()).actions
        == [.notify(characteristic: 1, [0x4D, 0x45], message: 0)])
    let pieces = [[0x00], [0x59, 0x4F], [0x55]].map {
      engine.handle(.intervention(.passOn($0, from: 1)), at: Instant()).actions
    }
    let name = Action.remark(.passed(.characteristic(1), message: "theirs", isSent: true))
    #expect(pieces.map { $0.contains(name) } == [false, false, true])
  }
}
