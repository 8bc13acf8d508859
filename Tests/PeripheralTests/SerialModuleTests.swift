import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// The HM-10 between a central and its wire side.
@Suite struct SerialModuleTests {
  @EventLoop func harness() async throws -> DeviceHarness { try await DeviceHarness(bundled("hm-10-cable")) }

  @EventLoop @Test(arguments: [23, 185, 517])
  func `values are split at 20 bytes even if the link carries more`(mtu: Int) async throws {
    let harness = try await harness()
    let central = harness.transport.connect(mtu: mtu)
    try central.subscribe(to: serial)
    let line = numberedBytes(45)
    harness.wire.put(line)
    let values = central.takeValues(from: serial)
    #expect(values.map(\.count) == [20, 20, 5])
    #expect(values.flatMap(\.self) == line)
    harness.wire.put([1])
    harness.wire.put([2, 3])
    #expect(central.takeValues(from: serial) == [[1], [2, 3]])
  }

  @EventLoop @Test func `ten thousand bytes in each direction arrive unchanged and in order`() async throws {
    let harness = try await harness()
    let central = harness.transport.connect()
    try central.subscribe(to: serial)
    let stream = numberedBytes(10_000)
    for piece in Chunker(stream, size: 20) { try await central.write(Array(piece), to: serial, .command) }
    #expect(harness.wire.written == stream)
    for piece in Chunker(stream, size: 37) { harness.wire.put(Array(piece)) }
    let values = central.takeValues(from: serial)
    #expect(values.flatMap(\.self) == stream)
    #expect(values.allSatisfy { $0.count <= 20 })
  }

  @EventLoop @Test func `the wire side is not read without a subscription`() async throws {
    let harness = try await DeviceHarness(
      definition(
        """
        services:
          - uuid: FFE0
            characteristics: [{ uuid: FFE1, properties: [write, notify] }]
        wire: { bridge: FFE1 }
        """))
    #expect(!harness.wire.isReading)
    let first = harness.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 2])!)
    let second = harness.transport.connect(DeviceAddress([0, 0, 0, 0, 0, 3])!)
    harness.wire.put([1])
    #expect(harness.wire.hasWaiting)
    try first.subscribe(to: 0)
    #expect(first.takeValues(from: 0) == [[1]])
    try second.subscribe(to: 0)
    try second.subscribe(to: 0)
    harness.wire.put([2])
    #expect(first.takeValues(from: 0) == [[2]])
    #expect(second.takeValues(from: 0) == [[2]])
    first.unsubscribe(from: 0)
    harness.wire.put([3])
    #expect(first.takeValues(from: 0) == [])
    #expect(second.takeValues(from: 0) == [[3]])
    second.disconnect()
    harness.wire.put([4])
    #expect(!harness.wire.isReading)
    #expect(harness.wire.hasWaiting)
    try first.subscribe(to: 0)
    #expect(first.takeValues(from: 0) == [[4]])
  }

  @EventLoop @Test func `a read returns the address first, and later the last value`() async throws {
    let harness = try await harness()
    let central = harness.transport.connect()
    #expect(try await central.read(serial) == hex("50 8C B1 6A 7C AB"))
    try await central.write(hex("41 54"), to: serial, .command)
    #expect(try await central.read(serial) == hex("41 54"))
    try central.subscribe(to: serial)
    harness.wire.put(hex("4F 4B"))
    #expect(try await central.read(serial) == hex("4F 4B"))
  }

  /// The attribute's permission counts, not the property (see "What BlueZ cannot do" in Peripherals/language/limits.md).
  @EventLoop @Test func `a write request is taken, although the property is for commands only`() async throws
  {
    let harness = try await harness()
    let central = harness.transport.connect()
    try await central.write([1], to: serial)
    #expect(harness.wire.written == [1])
  }
}
