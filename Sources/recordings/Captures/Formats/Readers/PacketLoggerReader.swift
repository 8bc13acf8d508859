import HCIPackets
import Framing

/// Apple's PacketLogger. A file has no head; old versions are big-endian, new ones little-endian.
///
///     length of what follows(4)  seconds(4)  microseconds(4)  type(1)  packet
struct PacketLoggerReader: RecordReader {
  private static let types: [UInt8: CapturedPacket.Layer] = [
    0x00: .hci(type: 0x01, adapter: 0, .toController),
    0x01: .hci(type: 0x04, adapter: 0, .toHost),
    0x02: .hci(type: 0x02, adapter: 0, .toController),
    0x03: .hci(type: 0x02, adapter: 0, .toHost),
    0x08: .hci(type: 0x03, adapter: 0, .toController),
    0x09: .hci(type: 0x03, adapter: 0, .toHost),
  ]
  /// Packets of the Link Manager, and from 0xF7 on the log of the system.
  private static let remarks: Set<UInt8> = [0x0A, 0x0B, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF]

  private let order: ByteOrder

  static func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
    guard start.count >= 13 else { return false }
    var header = ByteReader(start, order(of: start))
    let length: UInt32 = header.field()
    header.skip(4)
    let microseconds: UInt32 = header.field()
    let type: UInt8 = header.field()
    return (9...65536).contains(length) && microseconds < 1_000_000
      && (types[type] != nil || remarks.contains(type))
  }

  /// A length has less than 65,536 bytes: two of its bytes are 0.
  private static func order(of start: ArraySlice<UInt8>) -> ByteOrder {
    start.starts(with: [0, 0]) ? .bigEndian : .littleEndian
  }

  init(_ stream: ByteStream) throws(CaptureFileError.Reason) {
    do throws(CaptureDamage) { order = Self.order(of: try stream.peek(2)) } catch {
      throw error.reason
    }
  }

  var format: String { "PacketLogger" }

  mutating func next(_ stream: ByteStream) throws(CaptureDamage) -> Record? {
    guard try stream.beginRecord() else { return nil }
    var header = ByteReader(try stream.take(13), order)
    let (length, seconds, microseconds): (UInt32, UInt32, UInt32) =
      (header.field(), header.field(), header.field())
    let type: UInt8 = header.field()
    guard length >= 9 else {
      throw CaptureDamage(text: "A record of \(length) bytes is too short for its header.")
    }
    let time = Int64(seconds) * 1_000_000 + Int64(microseconds)
    return Record(
      .none(Self.types[type] ?? .remark), at: Instant(microseconds: time), try stream.takeRecord(length - 9))
  }
}
