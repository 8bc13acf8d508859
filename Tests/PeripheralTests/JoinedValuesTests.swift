import Bluetooth
import DeviceModel
import EventLoop
import TestSupport
import Testing

@testable import Loopback
@testable import Peripheral
import Behavior

/// The values of one event in one PDU.
@EventLoop @Suite struct JoinedValuesTests {
  private static let device = """
    link: { multiple-notifications: true }
    services:
      - { uuid: 1801, handle: 6, characteristics: [{ id: features, uuid: 2B29, properties: [read, write] }] }
      - uuid: FFE0
        characteristics:
          - { id: first, uuid: FFE1, properties: [write, notify] }
          - { id: second, uuid: FFE2, properties: [notify] }
    framing: { first: { size: 1 } }
    rules:
      - on: { receive: { text: B } }
        do: [{ send: { text: b }, to: first }, { send: { text: b }, to: second }]
      - on: { receive: { text: W } }
        do: [{ send: { text: w }, to: first }, { wait: 1s }, { send: { text: w }, to: second }]
      - on: { receive: { text: E } }
        do: [{ send: { text: e }, to: first }, { send: { text: e }, to: second }, disconnect]
    """

  /// A central that takes them, as it gets PDUs.
  private final class Central {
    var packets: [String] = []
    var isConnected = true
  }

  private func connect(_ harness: DeviceHarness) -> (LoopbackLink, Central) {
    let central = Central()
    let link = harness.transport.connectRaw {
      central.packets.append(hexadecimal($0))
    } onDisconnect: {
      central.isConnected = false
    }
    for packet in ["12 08 00 04", "12 0C 00 01 00", "12 0F 00 01 00"] { link.send(bytes(packet)) }
    central.packets = []
    _ = harness.traffic.takeKinds()
    return (link, central)
  }

  @Test func `the frames of one write go together, and the log shows each value`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let (link, central) = connect(harness)
    link.send(bytes("52 0B 00 42 42"))
    #expect(central.packets == ["23 0B 00 01 00 62 0E 00 01 00 62 0B 00 01 00 62 0E 00 01 00 62"])
    let notified = ["first", "second", "first", "second"].map { TrafficEvent.Kind.notify($0, [0x62]) }
    #expect(harness.traffic.takeKinds().filter { notified.contains($0) } == notified)
  }

  @Test func `values of other events do not`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let (link, central) = connect(harness)
    link.send(bytes("52 0B 00 57"))
    #expect(central.packets == ["1B 0B 00 77"])
    harness.scheduler.advance(by: .seconds(1))
    #expect(central.packets == ["1B 0B 00 77", "1B 0E 00 77"])
  }

  @Test func `the response to the write comes first`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let (link, central) = connect(harness)
    link.send(bytes("12 0B 00 42"))
    #expect(central.packets == ["13", "23 0B 00 01 00 62 0E 00 01 00 62"])
  }

  @Test func `they leave before the device ends the connection`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let (link, central) = connect(harness)
    link.send(bytes("52 0B 00 45"))
    #expect(central.packets == ["23 0B 00 01 00 65 0E 00 01 00 65"])
    #expect(!central.isConnected)
  }

  @Test func `a client gets each value`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let central = harness.transport.connect()
    try await central.write([0x04], to: 0)
    for characteristic in [1, 2] { try central.subscribe(to: characteristic) }
    try await central.write([0x42], to: 1)
    #expect(central.takeValues(from: 1) == [[0x62]])
    #expect(central.takeValues(from: 2) == [[0x62]])
    central.receive(bytes("23 0B 00 02 00 41"))  // too short
    #expect(central.takeValues(from: 1) == [])
  }
}
