import Behavior
import Bluetooth
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// Devices that send to every central (`cccd`), and those that refuse some.
@EventLoop @Suite struct SubscriptionRuleTests {
  private static func device(_ use: String, _ rules: String = "[]") -> String {
    """
    services:
      - uuid: FFE0
        characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify], cccd: \(use) }]
    wire: { bridge: serial }
    rules: \(rules)
    """
  }

  @Test func `values leave with the handle of a descriptor that notifies`() async throws {
    let harness = try await DeviceHarness(
      definition(
        """
        services:
          - uuid: FFE0
            handle: 0x0010
            characteristics:
              - { uuid: FFE1, properties: [write], descriptors: [{ uuid: FFE1, properties: [read, notify] }] }
        rules: [{ on: { write: FFE1 }, do: { send: { bytes: "41" }, to: FFE1 } }]
        """))
    var packets: [[UInt8]] = []
    let link = harness.transport.connectRaw {
      packets.append($0)
    } onDisconnect: {
    }
    link.send([0x12, 0x12, 0x00, 0x01])
    #expect(packets.contains([0x1B, 0x13, 0x00, 0x41]))
    let central = harness.transport.connect()
    central.write([2], to: .characteristic(0)) { _ in }
    #expect(central.takeValues(from: 0) == [[0x41]])
  }

  @Test(arguments: ["none", "ignored"])
  func `a central gets values from its connection on, and counts as subscribed`(use: String) async throws {
    let harness = try await DeviceHarness(definition(Self.device(use)))
    harness.wire.put([1])  // waits for a central
    let central = harness.transport.connect()
    harness.wire.put([2])
    #expect(central.takeValues(from: 0) == [[1], [2]])
    try central.subscribe(to: 0)
    central.unsubscribe(from: 0)
    harness.wire.put([3])
    #expect(central.takeValues(from: 0) == [[3]])
    central.disconnect()
    let subscriptions = harness.traffic.kinds.filter {
      switch $0 {
      case .connected, .subscribed, .unsubscribed, .disconnected: true
      default: false
      }
    }
    #expect(
      subscriptions == [
        .connected(central.address), .subscribed(central.address, "serial"),
        .unsubscribed(central.address, "serial"), .disconnected(central.address, .remoteUserTerminated),
      ])
  }

  @Test func `a central that the device turns away never subscribes`() async throws {
    let harness = try await DeviceHarness(
      definition(Self.device("none", "[{ on: connect, do: disconnect }]")))
    _ = harness.transport.connect()
    let kinds = harness.traffic.kinds
    #expect(kinds.contains { if case .disconnected = $0 { true } else { false } })
    #expect(!kinds.contains { if case .subscribed = $0 { true } else { false } })
  }

  @Test func `a refused central has not subscribed, and the log says so`() async throws {
    let rule = "[{ on: { subscribe: serial }, if: centrals > 1, do: { refuse: 0x80 } }]"
    let harness = try await DeviceHarness(definition(Self.device("required", rule)))
    let first = harness.transport.connect()
    let second = harness.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 3])!)
    #expect(throws: ATTError(rawValue: 0x80)) { try first.subscribe(to: 0) }
    #expect(
      harness.traffic.takeKinds().last
        == .write(first.address, "serial/2902", [1, 0], .request, refused: ATTError(rawValue: 0x80)))
    harness.wire.put([1])
    #expect(harness.wire.hasWaiting)  // for a subscriber
    second.disconnect()
    try first.subscribe(to: 0)
    #expect(first.takeValues(from: 0) == [[1]])
    #expect(harness.traffic.kinds.contains(.subscribed(first.address, "serial")))
    first.disconnect()
    #expect(harness.traffic.kinds.contains(.unsubscribed(first.address, "serial")))
  }
}
