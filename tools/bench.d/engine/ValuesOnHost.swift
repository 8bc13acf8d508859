import Framing
import Host

/// Blemu's host with one link, and as its controller the bytes that one would send.
struct ValuesOnHost {
  private static let handle: UInt16 = 0x0040
  /// data, handle 0x0040, 27 bytes; 23 bytes of ATT: Write Command to handle 0x0003
  private static let write: [UInt8] =
    [0x02, 0x40, 0x20, 27, 0, 23, 0, 4, 0, 0x52, 3, 0] + [UInt8](repeating: 0x2A, count: 20)
  private static let notification: [UInt8] = [0x1B, 3, 0] + [UInt8](repeating: 0x2A, count: 20)
  /// Number Of Completed Packets: one, of handle 0x0040
  private static let completed: [UInt8] = [0x04, 0x13, 5, 1, 0x40, 0, 1, 0]
  /// LE Connection Complete: handle 0x0040, peripheral, peer 00:00:00:00:00:02, 30 ms, latency 0, timeout 4 s
  private static let connected: [UInt8] =
    [0x04, 0x3E, 19, 0x01, 0, 0x40, 0, 1, 0, 2, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0x90, 0x01, 0]

  private var host = Host()
  private var eventCount = 0
  private var now = Instant()

  /// Starts the controller, which then has a link.
  init() {
    host.advance(to: now)
    while host.abilities == nil { answer(Array(host.packets.bytes[1...2])) }
    host.receive(Self.connected[...], at: now)
    now = now.advanced(by: .seconds(1))
    host.advance(to: now)
    guard host.takeEvents().contains(where: { if case .connected = $0 { true } else { false } }) else {
      fatalError("no link")
    }
  }

  /// Command Complete: success. Bytes of 0x7B announce LE, and room for 123 long packets.
  private mutating func answer(_ opcode: [UInt8]) {
    host.sentPackets()
    let parameters = [UInt8](repeating: 0x7B, count: 64)
    host.receive(([0x04, 0x0E, 68, 1] + opcode + [0] + parameters)[...], at: now)
    host.advance(to: now)
  }

  /// From a data packet to the event.
  mutating func takeWrite() {
    host.receive(Self.write[...], at: now)
    finish()
  }

  /// From a PDU to a data packet that the controller has sent.
  mutating func sendNotification() {
    host.send(Self.notification, on: Self.handle)
    finish()
    host.receive(Self.completed[...], at: now)
    finish()
  }

  /// What a caller does after each batch of packets.
  private mutating func finish() {
    eventCount += host.takeEvents().isEmpty ? 0 : 1
    host.advance(to: now)
    host.sentPackets()
  }
}
