import Behavior
import Bluetooth
import Conformance
import EventLoop
import Loopback
import Peripheral
import Testing

/// Runs the conformance checks on the loopback. `Tests/VM/test_conformance.py` runs them on BlueZ.
@Suite struct TransportConformanceTests {
  private static let loopback = TransportUnderTest(
    name: "loopback",
    abilities: [.tellsWriteKind, .takesTwoCentrals, .sendsToOne, .sendsUnasked, .keepsOrder],
    makeTransport: { LoopbackTransport() },
    connect: { transport, number, _ in
      let loopback = transport as! LoopbackTransport
      return loopback.connect(DeviceAddress([0, 0, 0, 0, 0, UInt8(2 + number)])!, mtu: [100, 247][number])
    })

  @EventLoop @Test(arguments: ConformanceCheck.all.map(\.name))
  func `the loopback conforms`(name: String) async throws {
    let check = try #require(ConformanceCheck.all.first { $0.name == name })
    #expect(check.applies(to: Self.loopback))
    try await check.run(on: Self.loopback)
  }
}

extension LoopbackCentral: ConformanceCentral {
  package func disconnect() { disconnect(.remoteUserTerminated) }

  package func subscribe(_ characteristic: Int, _ delivery: Delivery) throws {
    try subscribe(to: characteristic, by: delivery)
  }
}
