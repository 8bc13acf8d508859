import Behavior
import Bluetooth
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// Devices that send to every central (`cccd`).
@EventLoop @Suite struct UnconditionalTests {
  private static func device(_ use: String, _ rules: String = "[]") -> String {
    """
    services:
      - uuid: FFE0
        characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify], cccd: \(use) }]
    wire: { bridge: serial }
    rules: \(rules)
    """
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
        .unsubscribed(central.address, "serial"), .disconnected(central.address),
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
}
