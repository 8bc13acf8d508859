import HCIPackets
import Framing

/// btsnoop: the format of RFC 1761 with the data links of Bluetooth. All numbers are big-endian.
///
///     62 74 73 6E 6F 6F 70 00  version(4)  data link(4)
///     original length(4)  length(4)  flags(4)  cumulative drops(4)  time(8)  packet
struct BTSnoopReader: RecordReader {
  private enum DataLink: UInt32 {
    case h1 = 1001
    case h4 = 1002
    case monitor = 2001
  }

  private static let magic = Array("btsnoop\0".utf8)
  /// The beginning of 1970 in the time of records, microseconds since the year 0.
  private static let beginningOf1970: Int64 = 0x00DC_DDB3_0F2F_8000

  private let dataLink: DataLink
  private var drops: UInt32?
  /// Of the record before, unless its time is far from that of those before it.
  private var time: Instant?
  /// Whether the first record is as others write them; some programs have flags of their own.
  private var isRegular: Bool?

  static func recognizes(_ start: ArraySlice<UInt8>) -> Bool { start.starts(with: magic) }

  init(_ stream: ByteStream) throws(CaptureFileError.Reason) {
    var head = ByteReader(try stream.takeHead(16), .bigEndian)
    head.skip(Self.magic.count + 4)
    let number: UInt32 = head.field()
    guard let dataLink = DataLink(rawValue: number) else { throw .foreignDataLink(number) }
    self.dataLink = dataLink
  }

  var format: String {
    switch dataLink {
    case .h1: "btsnoop (HCI, H1)"
    case .h4: "btsnoop (HCI, H4)"
    case .monitor: "btsnoop (Linux monitor)"
    }
  }

  mutating func next(_ stream: ByteStream) throws(CaptureDamage) -> Record? {
    guard try stream.beginRecord() else { return nil }
    var header = ByteReader(try stream.peekHeader(Self.headerLength), .bigEndian)
    let (original, length): (UInt32, UInt32) = (header.field(), header.field())
    let (flags, drops): (UInt32, UInt32) = (header.field(), header.field())
    let time = Instant(microseconds: header.field(Int64.self) &- Self.beginningOf1970)
    let looksRegular = isRegular(original, length, flags)
    isRegular = isRegular ?? looksRegular
    if isRegular == true, !looksRegular, length <= ByteStream.longestRecord {
      throw CaptureDamage(text: "The header of a record is damaged.")
    }
    var record = Record(
      wrapping(flags), at: time, try stream.takeRecord(length, after: Self.headerLength))
    if time.isNear(self.time) { self.time = time }
    record.omitted = max(0, Int(original) - Int(length))
    // The counter of a recording that is one of several parts begins anywhere.
    record.lost = self.drops.map { max(0, Int(drops) - Int($0)) } ?? 0
    self.drops = drops
    return record
  }

  private static let headerLength = 24
  var headerLength: Int? { Self.headerLength }

  func length(ofRecordWith bytes: ArraySlice<UInt8>) -> Int? {
    var header = ByteReader(bytes, .bigEndian)
    let (original, length): (UInt32, UInt32) = (header.field(), header.field())
    let flags: UInt32 = header.field()
    header.skip(4)
    let time = Instant(microseconds: header.field(Int64.self) &- Self.beginningOf1970)
    guard length > 0, isRegular(original, length, flags), time.isNear(self.time) else { return nil }
    return Self.headerLength + Int(length)
  }

  private func isRegular(_ original: UInt32, _ length: UInt32, _ flags: UInt32) -> Bool {
    length <= original && original <= UInt16.max
      && (dataLink == .monitor ? flags & 0xFFFF < 32 : flags < 4)
  }

  /// Bit 0 of the flags: from the controller to the host. Bit 1: a command or an event. The monitor has the number of the
  /// adapter and the opcode there.
  private func wrapping(_ flags: UInt32) -> Record.Wrapping {
    let direction: HCIDirection = flags & 1 == 0 ? .toController : .toHost
    switch dataLink {
    case .h4: return .h4(direction)
    case .monitor: return .monitor(adapter: Int(flags >> 16), opcode: UInt16(truncatingIfNeeded: flags))
    case .h1:
      let type: UInt8 = flags & 2 == 0 ? 0x02 : direction == .toController ? 0x01 : 0x04
      return .none(.hci(type: type, adapter: 0, direction))
    }
  }
}
