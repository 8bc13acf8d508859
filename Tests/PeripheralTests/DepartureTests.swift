import Bluetooth
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// A central disconnects during a burst from the wire side.
@Suite struct DepartureTests {
  let warning = "wire side: dropped 480 bytes for the last central, which has disconnected"

  /// An HM-10 at 9600 baud that accepts any number of centrals. Half of a burst of one second has been sent.
  @EventLoop private func deviceInMidBurst() async throws -> (DeviceHarness, PacedWire, LoopbackCentral) {
    var module = try bundled("hm-10-cable")
    module.link.centrals = nil
    let definition = module
    let harness = DeviceHarness(
      off: definition, wire: { PacedWire($0, baud: 9600, for: definition, on: $1, scheduler: $2) })
    try await harness.peripheral.start()
    let central = harness.transport.connect()
    try central.subscribe(to: serial)
    harness.wire.put(numberedBytes(960))
    harness.scheduler.advance(by: .milliseconds(500))
    #expect(central.takeValues(from: serial).flatMap(\.self) == Array(numberedBytes(480)))
    _ = harness.traffic.takeKinds()
    return (harness, harness.pacedWire!, central)
  }

  @EventLoop @Test(arguments: [true, false])
  func `the rest of the burst is not for the next central`(isDisconnecting: Bool) async throws {
    let (harness, _, central) = try await deviceInMidBurst()
    if isDisconnecting { central.disconnect() } else { central.unsubscribe(from: serial) }
    #expect(harness.traffic.takeKinds().contains(.warning(warning, attribute: nil, [])))
    harness.wire.put([7, 8, 9])
    harness.scheduler.advance(by: .seconds(5))
    let next = harness.transport.connect()
    try next.subscribe(to: serial)
    harness.scheduler.advance(by: .seconds(5))
    #expect(next.takeValues(from: serial) == [[7, 8, 9]])
    #expect(harness.traffic.kinds.allSatisfy { if case .warning = $0 { false } else { true } })
  }

  @EventLoop @Test func `the burst continues while another central is subscribed`() async throws {
    let (harness, _, central) = try await deviceInMidBurst()
    let other = harness.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 3])!)
    try other.subscribe(to: serial)
    central.disconnect()
    harness.scheduler.advance(by: .seconds(1))
    #expect(other.takeValues(from: serial).flatMap(\.self) == Array(numberedBytes(960).dropFirst(480)))
  }

  @EventLoop @Test func `input from before the first subscription stays`() async throws {
    let harness = try await DeviceHarness(bundled("hm-10-cable"))
    harness.wire.put([1, 2])
    let first = harness.transport.connect()
    first.disconnect()
    let second = harness.transport.connect()
    try second.subscribe(to: serial)
    #expect(second.takeValues(from: serial) == [[1, 2]])
  }

  @EventLoop @Test func `input that rules read stays`() async throws {
    let harness = try await DeviceHarness(
      definition(
        """
        services:
          - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }
        messages: { at: { text: "AT" } }
        wire: { bridge: FFE1 }
        framing: { wire: { delimiter: 0A } }
        rules: [{ on: { receive: at, from: wire }, do: { log: at } }]
        """))
    let central = harness.transport.connect()
    try central.subscribe(to: 0)
    harness.wire.put(Array("A".utf8))
    central.disconnect()
    _ = harness.traffic.takeKinds()
    harness.wire.put(Array("T\n".utf8))
    #expect(harness.traffic.takeKinds().contains(.log("at")))
  }
}
