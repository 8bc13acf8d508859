import Bluetooth
import EventLoop
import Loopback
import Testing

@testable import Peripheral

/// A central leaves in the middle of what the wire has for it.
@Suite struct DepartureTests {
  let warning = "wire side: the last central has gone, and with it 480 bytes that were on their way"

  /// An HM-10 at 9600 baud that takes any number of centrals, with half a second of a burst on the air and half on its way.
  @EventLoop private func stageInMidBurst() async throws -> (Stage, PacedWire, LoopbackCentral) {
    var module = try bundled("hm-10-cable")
    module.link.centrals = nil
    let definition = module
    let stage = Stage(
      off: definition, wire: { PacedWire($0, baud: 9600, for: definition, on: $1, scheduler: $2) })
    try await stage.peripheral.start()
    let central = stage.transport.connect()
    try central.subscribe(to: 0)
    stage.wire.put(numberedBytes(960))
    stage.scheduler.advance(by: .milliseconds(500))
    #expect(central.takeValues(from: 0).flatMap(\.self) == Array(numberedBytes(480)))
    _ = stage.traffic.takeKinds()
    return (stage, stage.pacedWire!, central)
  }

  @EventLoop @Test(arguments: [true, false])
  func `what was on its way is not for the next one`(isDisconnecting: Bool) async throws {
    let (stage, _, central) = try await stageInMidBurst()
    if isDisconnecting { central.disconnect() } else { central.unsubscribe(from: 0) }
    #expect(stage.traffic.takeKinds().contains(.warning(warning, attribute: nil, [])))
    stage.wire.put([7, 8, 9])
    stage.scheduler.advance(by: .seconds(5))
    let next = stage.transport.connect()
    try next.subscribe(to: 0)
    stage.scheduler.advance(by: .seconds(5))
    #expect(next.takeValues(from: 0) == [[7, 8, 9]])
    #expect(stage.traffic.kinds.allSatisfy { if case .warning = $0 { false } else { true } })
  }

  @EventLoop @Test func `while another listens the burst goes on`() async throws {
    let (stage, _, central) = try await stageInMidBurst()
    let other = stage.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 3])!)
    try other.subscribe(to: 0)
    central.disconnect()
    stage.scheduler.advance(by: .seconds(1))
    #expect(other.takeValues(from: 0).flatMap(\.self) == Array(numberedBytes(960).dropFirst(480)))
  }

  @EventLoop @Test func `what nobody was there for yet stays`() async throws {
    let stage = try await Stage(bundled("hm-10-cable"))
    stage.wire.put([1, 2])
    let first = stage.transport.connect()
    first.disconnect()
    let second = stage.transport.connect()
    try second.subscribe(to: 0)
    #expect(second.takeValues(from: 0) == [[1, 2]])
  }

  @EventLoop @Test func `what rules read stays theirs`() async throws {
    let stage = try await Stage(
      definition(
        """
        services:
          - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }
        messages: { at: { text: "AT" } }
        wire: { bridge: FFE1 }
        framing: { wire: { delimiter: 0A } }
        rules: [{ on: { receive: at, from: wire }, do: { log: at } }]
        """))
    let central = stage.transport.connect()
    try central.subscribe(to: 0)
    stage.wire.put(Array("A".utf8))
    central.disconnect()
    _ = stage.traffic.takeKinds()
    stage.wire.put(Array("T\n".utf8))
    #expect(stage.traffic.takeKinds().contains(.log("at")))
  }
}
