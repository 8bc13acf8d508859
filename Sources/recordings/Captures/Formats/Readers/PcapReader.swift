import Framing

/// pcap (draft-ietf-opsawg-pcap), in either byte order, with microseconds or nanoseconds.
///
///     magic(4)  version(4)  reserved(8)  longest packet(4)  link type(4)
///     seconds(4)  microseconds or nanoseconds(4)  length(4)  original length(4)  packet
struct PcapReader: RecordReader {
  private struct Magic {
    let order: ByteOrder
    /// Of a second.
    let ticks: Int64
  }

  private static let magics: [[UInt8]: Magic] = [
    [0xA1, 0xB2, 0xC3, 0xD4]: Magic(order: .bigEndian, ticks: 1_000_000),
    [0xD4, 0xC3, 0xB2, 0xA1]: Magic(order: .littleEndian, ticks: 1_000_000),
    [0xA1, 0xB2, 0x3C, 0x4D]: Magic(order: .bigEndian, ticks: 1_000_000_000),
    [0x4D, 0x3C, 0xB2, 0xA1]: Magic(order: .littleEndian, ticks: 1_000_000_000),
  ]

  private let magic: Magic
  private let linkType: LinkType
  /// Of the record before.
  private var time: Instant?

  static func recognizes(_ start: ArraySlice<UInt8>) -> Bool { magics[Array(start.prefix(4))] != nil }

  init(_ stream: ByteStream) throws(CaptureFileError.Reason) {
    let head = try stream.takeHead(24)
    guard let magic = Self.magics[Array(head.prefix(4))] else { throw .notARecording }
    self.magic = magic
    var fields = ByteReader(head.dropFirst(20), magic.order)
    // The upper bits tell of a checksum that Bluetooth does not have.
    let number: UInt32 = fields.field() & 0xFFFF
    guard let linkType = LinkType(rawValue: number) else { throw .foreignLinkTypes([number]) }
    self.linkType = linkType
  }

  var format: String { "pcap (\(linkType.name))" }

  mutating func next(_ stream: ByteStream) throws(CaptureDamage) -> Record? {
    guard try stream.beginRecord() else { return nil }
    var header = ByteReader(try stream.peekHeader(Self.headerLength), magic.order)
    let (seconds, fraction): (UInt32, UInt32) = (header.field(), header.field())
    let (length, original): (UInt32, UInt32) = (header.field(), header.field())
    let time = Int64(seconds) * 1_000_000 + Int64(fraction) / (magic.ticks / 1_000_000)
    var record = Record(
      .link(linkType), at: Instant(microseconds: time),
      try stream.takeRecord(length, after: Self.headerLength))
    self.time = record.time
    record.omitted = max(0, Int(original) - Int(length))
    return record
  }

  private static let headerLength = 16
  var headerLength: Int? { Self.headerLength }

  func length(ofRecordWith bytes: ArraySlice<UInt8>) -> Int? {
    var header = ByteReader(bytes, magic.order)
    let (seconds, fraction): (UInt32, UInt32) = (header.field(), header.field())
    let (length, original): (UInt32, UInt32) = (header.field(), header.field())
    guard length >= 1, length <= original, original <= UInt16.max, fraction < magic.ticks,
      Instant(microseconds: Int64(seconds) * 1_000_000).isNear(time)
    else { return nil }
    return Self.headerLength + Int(length)
  }
}
