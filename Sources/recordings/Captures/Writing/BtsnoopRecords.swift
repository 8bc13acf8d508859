import Framing
import HCIPackets
import Bluetooth

/// Writes btsnoop, version 1 (RFC 1761 with the data links of Bluetooth). All numbers begin with the most significant byte.
enum BtsnoopRecords {
  /// HCI packets with their type (H4).
  private static let dataLink: UInt32 = 1002
  /// Microseconds from the year 0 to 1970.
  private static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000

  /// `btsnoop`, version, data link.
  static let header = Array("btsnoop\0".utf8) + bytes(of: 1) + bytes(of: dataLink)

  /// Original length, length, flags, lost packets, time, packet.
  static func record(of packet: WrittenPacket) -> [UInt8] {
    let length = UInt32(truncatingIfNeeded: packet.bytes.count)
    let time = epoch &+ UInt64(bitPattern: packet.time.microseconds)
    return bytes(of: length) + bytes(of: length) + bytes(of: flags(of: packet)) + bytes(of: 0)
      + bytes(of: UInt32(truncatingIfNeeded: time >> 32)) + bytes(of: UInt32(truncatingIfNeeded: time))
      + packet.bytes
  }

  /// Bit 0: to the host; bit 1: a command or an event.
  private static func flags(of packet: WrittenPacket) -> UInt32 {
    let isControl = packet.bytes.first == 0x01 || packet.bytes.first == 0x04
    return (packet.direction == .toHost ? 1 : 0) | (isControl ? 2 : 0)
  }

  private static func bytes(of number: UInt32) -> [UInt8] { number.bigEndianBytes }
}

extension UInt32 {
  /// The most significant byte first.
  var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
}
