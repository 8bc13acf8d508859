import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// How the addresses of a device change on a transport.
@Suite struct AddressTests {
  @EventLoop private static func addresses(_ harness: DeviceHarness) -> [TrafficEvent.Kind] {
    harness.traffic.takeKinds().filter { if case .address = $0 { true } else { false } }
  }

  @EventLoop @Test func `the log has the addresses of sets, and those that change`() async throws {
    let harness = try await DeviceHarness(
      definition(
        """
        advertisement:
          address: resolvable
          sets: { same: {}, fixed: { address: "C0:00:5E:00:53:01" } }
        services: [{ uuid: FFE0, characteristics: [] }]
        """))
    guard case .onAir(let onAir)? = harness.traffic.kinds.first else {
      Issue.record("the device is not on the air")
      return
    }
    let first = try #require(onAir.ownAddress)
    #expect(first == harness.transport.advertisement?.address && first.address.randomKind == .resolvable)
    #expect(
      Self.addresses(harness) == [.address(SetAddress(DeviceAddress("C0:00:5E:00:53:01")!), set: "fixed")])
    harness.scheduler.advance(by: .seconds(15 * 60))
    let second = try #require(harness.transport.advertisement?.address)
    #expect(second != first && second == harness.peripheral.setAddress)
    #expect(Self.addresses(harness) == [.address(second, set: nil), .address(second, set: "same")])
  }

  @EventLoop @Test func `the address stays while a central is pairing`() async throws {
    let transport = PairingTransport()
    let scheduler = ManualScheduler()
    let device = definition(
      """
      advertisement: { address: { kind: resolvable, every: 10s } }
      services: [{ uuid: FFE0, characteristics: [] }]
      """)
    let peripheral = LivePeripheral(
      device, settings: [], transport: transport, scheduler: scheduler, sinks: [])
    try await peripheral.start()
    transport.isPairing = true
    scheduler.advance(by: .seconds(15))
    #expect(transport.addresses.isEmpty)
    transport.isPairing = false
    scheduler.advance(by: .seconds(1))
    #expect(transport.addresses.count == 1)
  }
}

/// A transport on which a central pairs for as long as the test wants.
@EventLoop
private final class PairingTransport: BaseTransport, TransportValues {
  weak var host: (any TransportHost)?
  var isPairing = false
  private(set) var addresses: [SetAddress?] = []

  func open() async throws -> LocalAdapter {
    LocalAdapter(name: "test", address: DeviceAddress([0, 0, 0, 0, 0, 1])!, stack: "no radio")
  }

  func goOnAir(_ device: DeviceOnAir) async throws {}
  func watchCentrals() {}
  func leaveAir() async {}
  func serve(_ table: AttributeTable, toConnected: Bool) {}
  func advertise(_ advertisement: Advertisement?) { addresses.append(advertisement?.address) }
  func disconnect(_ central: Central?, _ reason: HCIError) {}
  func mtu(of central: Central) -> Int? { nil }
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? { nil }

  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to: Recipients) -> SendOutcome {
    .nobodySubscribed
  }
}
