import Framing
import HCIPackets
import Bluetooth

/// Writes pcapng 1.0 (IETF draft-ietf-opsawg-pcapng): a section with one interface. All numbers begin with the least
/// significant byte, except those of the link type.
enum PcapngRecords {
  /// `LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR`: a direction, the type of the HCI packet, the packet.
  private static let linkType: UInt16 = 201

  private enum Block {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let packet: UInt32 = 6
  }

  /// The numbers depend on the block.
  private enum Option {
    static let end: UInt16 = 0
    /// `opt_comment`, of any block.
    static let comment: UInt16 = 1
    /// `shb_userappl`
    static let application: UInt16 = 4
    /// `if_tsresol`
    static let resolution: UInt16 = 9
  }

  /// The Section Header Block and the Interface Description Block.
  static let header = section + interface

  /// The byte-order magic, the version, and a length that is not known.
  private static let section = block(
    Block.section,
    UInt32(0x1A2B_3C4D).littleEndianBytes + UInt16(1).littleEndianBytes + UInt16(0).littleEndianBytes
      + [UInt8](repeating: 0xFF, count: 8) + options([(Option.application, Array("blemu".utf8))]))

  /// The link type, no limit of the packets' length, and times in 10⁻⁶ s.
  private static let interface = block(
    Block.interface,
    linkType.littleEndianBytes + UInt16(0).littleEndianBytes + UInt32(0).littleEndianBytes
      + options([(Option.resolution, [6])]))

  /// The Enhanced Packet Block: interface, time (the upper half first), length, original length, packet, options.
  static func record(of packet: WrittenPacket) -> [UInt8] {
    let direction = UInt32(packet.direction == .toHost ? 1 : 0).bigEndianBytes
    let length = UInt32(truncatingIfNeeded: 4 + packet.bytes.count)
    let time = UInt64(bitPattern: packet.time.microseconds)
    let times = [UInt32(truncatingIfNeeded: time >> 32), UInt32(truncatingIfNeeded: time)]
    let head = ([0] + times + [length, length]).flatMap(\.littleEndianBytes)
    let comment = packet.comment.map { options([(Option.comment, Array($0.utf8.prefix(1024)))]) } ?? []
    return block(Block.packet, head + padded(direction + packet.bytes) + comment)
  }

  /// Type, length, body, and the length again.
  private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(truncatingIfNeeded: 12 + body.count).littleEndianBytes
    return type.littleEndianBytes + length + body + length
  }

  private static func options(_ options: [(UInt16, [UInt8])]) -> [UInt8] {
    options.flatMap { code, value in
      [code, UInt16(truncatingIfNeeded: value.count)].flatMap(\.littleEndianBytes) + padded(value)
    } + Option.end.littleEndianBytes + [0, 0]
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}
