import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// Splits values of a device without an MTU of its own.
@Suite struct CuttingTests {
  static let device = definition(
    """
    services:
      - uuid: FFE0
        characteristics:
          - { id: notified, uuid: FFE1, properties: [write, notify] }
          - { id: indicated, uuid: FFE2, properties: [write, indicate] }
    wire: { bridge: notified }
    """)

  @EventLoop @Test(arguments: [(23, [20, 20, 20, 20]), (53, [50, 30]), (83, [80]), (247, [80])])
  func `values are split to fit the link`(mtu: Int, sizes: [Int]) async throws {
    let harness = try await DeviceHarness(Self.device)
    let central = harness.transport.connect(mtu: mtu)
    try central.subscribe(to: 0)
    harness.wire.put(numberedBytes(80))
    let values = central.takeValues(from: 0)
    #expect(values.map(\.count) == sizes)
    #expect(values.flatMap(\.self) == numberedBytes(80))
  }

  @EventLoop
  @Test(
    arguments: [
      ("split", [Array(0..<20), Array(20..<30)], []), ("cut", [Array(0..<20)], Array(20..<30)),
      ("refuse", [], Array(0..<30)),
    ] as [(String, [[UInt8]], [UInt8])])
  func `a value that is too long goes as the characteristic says`(
    use: String, values: [[UInt8]], notSent: [UInt8]
  ) async throws {
    let harness = try await DeviceHarness(
      definition(
        """
        services:
          - uuid: FFE0
            characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify], long: \(use) }]
        wire: { bridge: serial }
        """))
    let central = harness.transport.connect()
    try central.subscribe(to: 0)
    harness.wire.put([UInt8](0..<30))
    #expect(central.takeValues(from: 0) == values)
    let warning = "not sent: a value has at most 20 bytes here"
    #expect(
      harness.traffic.kinds.contains(.warning(warning, attribute: "serial", notSent)) == !notSent.isEmpty)
    harness.wire.put([UInt8](0..<20))
    #expect(central.takeValues(from: 0) == [Array(0..<20)])
  }

  @EventLoop @Test func `no piece is longer than an attribute may be`() async throws {
    let harness = try await DeviceHarness(Self.device)
    let central = harness.transport.connect(mtu: 517)
    try central.subscribe(to: 0)
    harness.wire.put(numberedBytes(1030))
    #expect(central.takeValues(from: 0).map(\.count) == [512, 512, 6])
  }

  @EventLoop @Test func `the smaller of two links decides, so that both centrals receive everything`()
    async throws
  {
    let harness = try await DeviceHarness(Self.device)
    let small = harness.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 2])!, mtu: 23)
    let large = harness.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 3])!, mtu: 247)
    try small.subscribe(to: 0)
    try large.subscribe(to: 0)
    harness.wire.put(numberedBytes(30))
    #expect(small.takeValues(from: 0).map(\.count) == [20, 10])
    #expect(large.takeValues(from: 0).map(\.count) == [20, 10])
    small.disconnect()
    harness.wire.put(numberedBytes(30))
    #expect(large.takeValues(from: 0).map(\.count) == [30])
  }
}
