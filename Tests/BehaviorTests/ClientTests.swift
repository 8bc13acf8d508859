import Behavior
import Bluetooth
import DeviceModel
import TestSupport
import Testing

/// A device that is the GATT client of its centrals.
@Suite struct ClientTests {
  private static let device = definition(
    """
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, id: orders, properties: [write] }] }]
    client: { time: { service: 1805, uuid: 2A2B }, news: { service: FFF0, uuid: FFF1 } }
    framing: { news: { delimiter: "0A" } }
    controls: { ask: { label: Ask } }
    rules:
      - { on: encrypted, do: discover }
      - { on: { found: time }, do: [{ read: time }, { wait: 1s }, { subscribe: time }] }
      - { on: { missing: time }, do: { log: none } }
      - { on: { refused: time }, do: { log: "{reason}" } }
      - { on: { receive: any, from: news }, do: { send: { bytes: "{frame}" }, to: time } }
      - { on: { control: ask }, do: { read: time } }
    """)
  private static let one = DeviceAddress("00:00:00:00:00:01")!
  private static let other = DeviceAddress("00:00:00:00:00:02")!

  private static func engine() throws -> Engine {
    var engine = try Engine(device, settings: [], address: DeviceAddress("00:00:00:00:00:09")!)
    for central in [one, other] { _ = engine.handle(.connected(central), at: .milliseconds(0)) }
    return engine
  }

  /// What it asks of whom, and logs.
  private static func output(_ outcome: Outcome) -> [String] {
    outcome.actions.compactMap { action in
      switch action {
      case .request(let request, let central): "\(request) of \(central?.description ?? "all")"
      case .remark(.logged(let text)): text
      default: nil
      }
    }
  }

  @Test func `a rule asks the central that has caused it, and a control all`() throws {
    var engine = try Self.engine()
    let encrypted = engine.handle(.encrypted(Self.one, .none), at: .milliseconds(1))
    #expect(Self.output(encrypted) == ["discover of \(Self.one)"])
    let found = engine.handle(.discovered(Self.one, found: [0]), at: .milliseconds(2))
    #expect(Self.output(found) == ["read(0) of \(Self.one)"])
    let pressed = engine.handle(.controlled(.operate(control: 0, nil)), at: .milliseconds(3))
    #expect(Self.output(pressed) == ["read(0) of all"])
  }

  @Test func `a wait ends with its central`() throws {
    var engine = try Self.engine()
    let timers = [Self.one, Self.other].flatMap { central in
      engine.handle(.discovered(central, found: [0]), at: .milliseconds(2)).actions.compactMap { action in
        if case .startTimer(let timer, _) = action { timer } else { nil }
      }
    }
    #expect(timers.count == 2)
    _ = engine.handle(.disconnected(Self.one), at: .milliseconds(3))
    let outcomes = timers.map { engine.handle(.timerFired($0), at: .milliseconds(1002)) }
    #expect(outcomes.flatMap(Self.output) == ["subscribe(0) of \(Self.other)"])
  }

  @Test
  func `values of each central have frames of their own, and what comes of one that has left has no effect`()
    throws
  {
    var engine = try Self.engine()
    for (central, text) in [(Self.one, "ab"), (Self.other, "c\n")] {
      let got = engine.handle(.soughtReceived(central, sought: 1, Array(text.utf8)), at: .milliseconds(1))
      let expected = ClientRequest.write(0, Array("c".utf8), message: nil)
      #expect(Self.output(got) == (central == Self.one ? [] : ["\(expected) of \(central)"]))
    }
    _ = engine.handle(.disconnected(Self.one), at: .milliseconds(2))
    let late = [
      engine.handle(.soughtReceived(Self.one, sought: 1, Array("d\n".utf8)), at: .milliseconds(3)),
      engine.handle(.discovered(Self.one, found: [0]), at: .milliseconds(3)),
      engine.handle(.soughtRefused(Self.one, sought: 0, .readNotPermitted, .read(0)), at: .milliseconds(3)),
    ]
    #expect(late.flatMap(Self.output) == [])
  }

  @Test func `what is missing and what is refused are events`() throws {
    var engine = try Self.engine()
    #expect(Self.output(engine.handle(.discovered(Self.one, found: []), at: .milliseconds(1))) == ["none"])
    let refused = Event.soughtRefused(Self.one, sought: 0, .readNotPermitted, .read(0))
    #expect(Self.output(engine.handle(refused, at: .milliseconds(2))) == ["read-not-permitted"])
  }
}
