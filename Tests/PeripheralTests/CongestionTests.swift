import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// A transport that keeps values until the test releases them, and reports congestion from three values on.
@EventLoop
final class CongestingTransport: BaseTransport, TransportValues {
  weak var host: (any TransportHost)?
  private(set) var arrived: [UInt8] = []
  private var kept: [UInt8] = []
  private var keptCount = 0

  func open() async throws -> LocalAdapter {
    LocalAdapter(name: "test", address: DeviceAddress([0, 0, 0, 0, 0, 1])!, stack: "no radio")
  }

  let hasFlowControl = true
  func goOnAir(_ device: DeviceOnAir) async throws {}
  func watchCentrals() {}
  func leaveAir() async {}
  func serve(_ table: AttributeTable, toConnected: Bool) {}
  func advertise(_ advertisement: Advertisement?) {}
  func disconnect(_ central: Central?, _ reason: HCIError) {}
  func mtu(of central: Central) -> Int? { 23 }
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? { 20 }

  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to: Recipients) -> SendOutcome {
    kept += value
    keptCount += 1
    if keptCount == 3 { host?.congestionChanged(true, of: characteristic) }
    return .notified
  }

  private(set) var holds: [Bool] = []
  func holdResponses(_ isHolding: Bool) { holds.append(isHolding) }

  func release(of characteristic: Int) {
    arrived += kept
    (kept, keptCount) = ([], 0)
    host?.congestionChanged(false, of: characteristic)
  }
}

@Suite struct CongestionTests {
  @EventLoop private let transport: CongestingTransport
  @EventLoop private let wire: LoopbackWire
  @EventLoop private let peripheral: LivePeripheral

  @EventLoop init() async throws {
    let definition = try bundled("hm-10-cable")
    transport = CongestingTransport()
    wire = LoopbackWire("test")
    peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial), transport: transport, wire: wire,
      scheduler: ManualScheduler(), sinks: [])
    try await peripheral.start()
    peripheral.receive(.subscribed(nil, characteristic: serial))
  }

  @EventLoop @Test func `the wire side waits while values pile up, and no byte is lost`() {
    let stream = numberedBytes(1000)
    for start in stride(from: 0, to: stream.count, by: 10) { wire.put(Array(stream[start..<start + 10])) }
    #expect(!wire.isReading)
    #expect(wire.hasWaiting)
    var rounds = 0
    while wire.hasWaiting {
      transport.release(of: serial)
      rounds += 1
    }
    transport.release(of: serial)
    #expect(transport.arrived == stream)
    #expect(rounds == 33)
    #expect(wire.isReading)
  }

  @EventLoop @Test func `congestion of another characteristic neither stops nor releases the wire side`() {
    transport.host?.congestionChanged(true, of: 0)
    #expect(wire.isReading)
    transport.host?.congestionChanged(true, of: serial)
    #expect(!wire.isReading)
    transport.host?.congestionChanged(false, of: 0)
    #expect(!wire.isReading)
    transport.host?.congestionChanged(false, of: serial)
    #expect(wire.isReading)
  }

  @EventLoop @Test func `responses wait once 64 KiB wait for the wire side`() {
    let value = [UInt8](repeating: 0x55, count: 512)
    func write() {
      peripheral.receive(
        .writeRequested(nil, .characteristic(serial), value: value, offset: 0, .command))
    }
    wire.takesBytes = false
    for _ in 0..<128 { write() }
    #expect(transport.holds == [])
    write()
    write()
    #expect(transport.holds == [true])
    wire.takesBytes = true
    #expect(transport.holds == [true, false])
    write()
    #expect(transport.holds == [true, false])
  }

  @EventLoop @Test func `the end of congestion does not open the wire side without a subscription`() {
    transport.host?.congestionChanged(true, of: serial)
    peripheral.receive(.unsubscribed(nil, characteristic: serial))
    transport.host?.congestionChanged(false, of: serial)
    #expect(!wire.isReading)
  }
}
