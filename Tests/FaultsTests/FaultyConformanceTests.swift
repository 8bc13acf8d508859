import Behavior
import Bluetooth
import Conformance
import DeviceModel
import EventLoop
import Loopback
import Peripheral
import Testing

@testable import Faults

/// A stage without faults changes nothing: it conforms as the transport in it does.
@Suite struct FaultyConformanceTests {
  private static let faulty = TransportUnderTest(
    name: "faulty loopback",
    abilities: [.tellsWriteKind, .takesTwoCentrals, .sendsToOne, .sendsUnasked, .keepsOrder],
    makeTransport: {
      FaultyTransport(LoopbackTransport(), FaultStage(of: ConformanceCheck.device, seed: 0))
    },
    connect: { transport, number, _ in
      let loopback = (transport as! FaultyTransport).inner as! LoopbackTransport
      let central = loopback.connect(
        DeviceAddress([0, 0, 0, 0, 0, UInt8(2 + number)])!, mtu: [100, 247][number])
      return Central(central)
    })

  @EventLoop @Test(arguments: ConformanceCheck.all.map(\.name))
  func `a stage without faults conforms`(name: String) async throws {
    let check = try #require(ConformanceCheck.all.first { $0.name == name })
    try await check.run(on: Self.faulty)
  }

  /// A central in memory.
  @EventLoop
  private final class Central: ConformanceCentral {
    private let central: LoopbackCentral

    init(_ central: LoopbackCentral) { self.central = central }

    var address: DeviceAddress { central.address }
    var mtu: Int { central.mtu }
    var onValue: ((_ characteristic: Int, _ value: [UInt8]) -> Void)? {
      get { central.onValue }
      set { central.onValue = newValue }
    }

    func subscribe(_ characteristic: Int, _ delivery: Delivery) throws {
      try central.subscribe(to: characteristic, by: delivery)
    }

    func unsubscribe(from characteristic: Int) { central.unsubscribe(from: characteristic) }

    func write(_ value: [UInt8], to characteristic: Int, _ kind: WriteKind) async throws {
      try await central.write(value, to: characteristic, kind)
    }

    func read(_ characteristic: Int) async throws -> [UInt8] { try await central.read(characteristic) }

    func disconnect() { central.disconnect() }
  }
}
