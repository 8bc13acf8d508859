import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback
import TestSupport
import Testing

@testable import Peripheral
import Behavior

/// The life of a device: on the air, off the air, and back.
@Suite struct LifeTests {
  @EventLoop @Test func `settings determine the advertisement`() async throws {
    let harness = try await DeviceHarness(bundled("hm-10-cable"), settings: [.text("Demo")])
    let device = try #require(harness.transport.device)
    #expect(device.deviceName == "Demo")
    #expect(device.advertisement?.localName == "Demo")
    #expect(device.advertisement?.manufacturerData.map(\.bytes) == [hex("50 8C B1 6A 7C AB")])
  }

  @EventLoop @Test func `a device without a local name has the definition's name`() async throws {
    let harness = try await DeviceHarness(
      definition(
        """
        services:
          - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
        """))
    #expect(harness.transport.device?.deviceName == "Device")
  }

  @EventLoop @Test func `the loopback accepts an advertisement that no adapter has room for`() async throws {
    let device = definition(
      """
      settings: { key: { type: bytes, max: 40, default: "00" } }
      advertisement: { manufacturer-data: { 004C: "{key}" } }
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
      """)
    let key = [UInt8](repeating: 0, count: 40)
    let harness = try await DeviceHarness(device, settings: [.bytes(key)])
    #expect(harness.transport.advertisement?.manufacturerData.map(\.bytes) == [key])
    guard case .onAir(let onAir) = harness.traffic.kinds.first else {
      Issue.record("the device is not on the air")
      return
    }
    #expect(onAir.packets == nil)
  }

  @EventLoop @Test func `a stopped device disconnects its centrals, closes its wire side and reports totals`()
    async throws
  {
    let harness = try await DeviceHarness(bundled("hm-10-cable"))
    let central = harness.transport.connect()
    try central.subscribe(to: serial)
    harness.scheduler.advance(by: .seconds(124))
    harness.wire.put(numberedBytes(30))
    _ = harness.traffic.takeKinds()
    await harness.peripheral.stop()
    var totals = TrafficEvent.Totals()
    (totals.duration, totals.centrals, totals.valuesOut) = (.seconds(124), 1, 2)
    #expect(
      harness.traffic.takeKinds() == [
        .unsubscribed(central.address, "FFE1"), .disconnected(central.address, .localHost),
        .offAir(.stopped(restoringAdapter: false), totals),
      ])
    #expect(harness.wire.isClosed)
    #expect(!harness.wire.isReading)
    await #expect(throws: ATTError.readNotPermitted) { try await central.read(serial) }
    await harness.peripheral.stop()
    #expect(harness.traffic.takeKinds() == [])
  }

  @EventLoop @Test func `the totals of a device restart when it returns to the air`() async throws {
    let harness = try await DeviceHarness(bundled("hm-10-cable"))
    let onAir = harness.traffic.takeKinds()
    let central = harness.transport.connect()
    try await central.write([1, 2], to: serial, .command)
    harness.scheduler.advance(by: .seconds(5))
    _ = harness.traffic.takeKinds()
    harness.peripheral.fellOffAir("bluetoothd has stopped")
    harness.scheduler.advance(by: .seconds(60))
    harness.peripheral.cameBackOnAir()
    try await central.write([3], to: serial, .command)
    harness.scheduler.advance(by: .seconds(7))
    harness.peripheral.fellOffAir("the adapter has disappeared")
    await harness.peripheral.stop()
    var first = TrafficEvent.Totals()
    (first.duration, first.centrals, first.valuesIn) = (.seconds(5), 1, 1)
    var second = TrafficEvent.Totals()
    (second.duration, second.valuesIn) = (.seconds(7), 1)
    let events = harness.traffic.takeKinds()
    #expect(events.first == .offAir(.failed("bluetoothd has stopped"), first))
    #expect(events.dropFirst().first == onAir.first)
    #expect(events.contains(.offAir(.failed("the adapter has disappeared"), second)))
    #expect(events.last == .disconnected(central.address, .localHost))
  }

  @EventLoop @Test func `warnings of the transport and the wire side are shown`() async throws {
    let harness = try await DeviceHarness(bundled("hm-10-cable"))
    _ = harness.traffic.takeKinds()
    harness.transport.host?.warn("the controller is slow")
    harness.wire.host?.warn("the output is not read")
    #expect(
      harness.traffic.takeKinds() == [
        .warning("the controller is slow", attribute: nil, []),
        .warning("the output is not read", attribute: nil, []),
      ])
  }
}

@Suite struct ManualSchedulerTests {
  @EventLoop @Test func `calls come in the order of their times and see the right time`() {
    let scheduler = ManualScheduler()
    var calls: [String] = []
    var kept: [AnyObject] = []
    for (name, time) in [("c", 30), ("a", 10), ("b", 20), ("b2", 20)] as [(String, Int64)] {
      kept.append(
        scheduler.schedule(at: .milliseconds(time)) { calls.append("\(name) \(scheduler.now.milliseconds)") })
    }
    kept.append(
      scheduler.schedule(at: .milliseconds(10)) {
        kept.append(
          scheduler.schedule(at: .milliseconds(15)) { calls.append("nested \(scheduler.now.milliseconds)") })
      })
    scheduler.advance(by: .milliseconds(20))
    #expect(calls == ["a 10", "nested 15", "b 20", "b2 20"])
    kept.removeAll()
    scheduler.advance(by: .milliseconds(20))
    #expect(calls.count == 4)
    #expect(scheduler.now == .milliseconds(40))
  }
}
