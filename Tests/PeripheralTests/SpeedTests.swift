import Bluetooth
import DeviceModel
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// The speed of the wire side, as settings set it.
@Suite struct SpeedTests {
  private let module = definition(
    """
    settings: { rate: { type: integer, default: 1200 } }
    services:
      - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }
    wire: { bridge: FFE1, baud: rate }
    messages: { faster: 0F, none: 0D, restart: 0A, apply: 0B }
    rules:
      - { on: { receive: faster }, do: { set: { rate: rate * 8 } } }
      - { on: { receive: none }, do: { set: { rate: -rate } } }
      - { on: { receive: restart }, do: reset }
      - { on: { receive: apply }, do: apply-baud }
    """)

  @EventLoop private func harness() async throws -> (DeviceHarness, LoopbackCentral) {
    let harness = DeviceHarness(
      off: module, wire: { PacedWire($0, baud: 50, for: module, on: $1, scheduler: $2) })
    try await harness.peripheral.start()
    return (harness, harness.transport.connect())
  }

  /// The number of bytes that leave in a tenth of a second.
  @EventLoop private func pace(of harness: DeviceHarness, _ central: LoopbackCentral) async throws -> Int {
    let before = harness.wire.written.count
    for _ in 0..<10 { try await central.write(numberedBytes(200), to: .characteristic(0), .request) }
    harness.scheduler.advance(by: .milliseconds(100))
    defer { harness.scheduler.advance(by: .seconds(1000)) }
    return harness.wire.written.count - before
  }

  @EventLoop @Test func `the wire side has its speed from the start`() async throws {
    let (harness, central) = try await harness()
    #expect(harness.wire.speed == 1200)
    #expect(try await pace(of: harness, central) == 12)
  }

  @EventLoop @Test(arguments: [[0x0A], [0x0B]])
  func `a new speed applies from a reset, or when a rule applies it`(command: [UInt8]) async throws {
    let (harness, central) = try await harness()
    try await central.write([0x0F], to: .characteristic(0), .request)
    #expect(try await pace(of: harness, central) == 12)
    try await central.write(command, to: .characteristic(0), .request)
    let other = command == [0x0A] ? harness.transport.connect() : central
    #expect((95...96).contains(try await pace(of: harness, other)))
    #expect(harness.traffic.kinds.contains(.log("the wire side has 9600 baud")))
  }

  @EventLoop @Test func `an invalid speed is not applied`() async throws {
    let (harness, central) = try await harness()
    try await central.write([0x0D], to: .characteristic(0), .request)
    try await central.write([0x0A], to: .characteristic(0), .request)
    #expect(try await pace(of: harness, harness.transport.connect()) == 12)
    let text = "the wire side keeps its 1200 baud: -1200 baud is not in 50…4000000"
    #expect(harness.traffic.kinds.contains(.log(text)))
  }

  @EventLoop @Test func `a device with an invalid speed does not go on the air`() async {
    let peripheral = LivePeripheral(
      module, settings: [.integer(0)], transport: LoopbackTransport(), wire: LoopbackWire("test"), sinks: [])
    let error = await #expect(throws: TransportError.self) { try await peripheral.start() }
    #expect(error?.message == "the wire side has no valid speed: 0 baud is not in 50…4000000")
  }
}
