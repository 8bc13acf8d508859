import HCIPackets
import Framing

/// btsnooz: the last 256 KiB of packets, which Android keeps even while its log is switched off. The text of a bug report has
/// them, and so has that of `dumpsys bluetooth_manager`. Of data it keeps 14 bytes, and the rest whole (AOSP,
/// `btif/src/btif_debug_btsnoop.cc`). All numbers are little-endian.
///
///     --- BEGIN:BTSNOOP_LOG_SUMMARY (262116 bytes in) ---
///     base64 of: version(1)  microseconds from 1970 to the last packet(8)  records, compressed by zlib
///     --- END:BTSNOOP_LOG_SUMMARY ---
///
///     length(2)  original length, from version 2 on(2)  microseconds since the packet before(4)  type(1)  packet
///
/// The lengths count the type.
struct BTSnoozReader: RecordReader {
  private static let types: [UInt8: CapturedPacket.Layer] = [
    0x10: .hci(type: 0x04, adapter: 0, .toHost), 0x20: .hci(type: 0x01, adapter: 0, .toController),
    0x11: .hci(type: 0x02, adapter: 0, .toHost), 0x21: .hci(type: 0x02, adapter: 0, .toController),
    0x12: .hci(type: 0x03, adapter: 0, .toHost), 0x22: .hci(type: 0x03, adapter: 0, .toController),
    0x17: .hci(type: 0x05, adapter: 0, .toHost), 0x2D: .hci(type: 0x05, adapter: 0, .toController),
  ]

  private let version: UInt8
  private let records: ByteStream
  /// Of the packet before.
  private var time: Instant

  /// Any text may have a log.
  static func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
    start.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
  }

  init(_ text: ByteStream) throws(CaptureFileError.Reason) {
    guard try Self.findLog(in: text) else { throw .notARecording }
    let log = Base64Bytes(text)
    var head = [UInt8](repeating: 0, count: 9)
    let read = head.withUnsafeMutableBytes(log.read)
    guard case .success(9) = read else { throw .damaged("The log of Bluetooth in it is cut off.") }
    var fields = ByteReader(head[...])
    version = fields.field()
    guard 1...2 ~= version else {
      throw .damaged("The log of Bluetooth in it has version \(version) of btsnooz. blemu reads 1 and 2.")
    }
    records = ByteStream(InflatedBytes(log, .zlib, text.limit))
    time = Instant(microseconds: fields.field())
    goBackToFirst()
  }

  var format: String { "btsnooz" }
  var notes: [CaptureNote] { [.onlyBeginnings] }

  mutating func next(_: ByteStream) throws(CaptureDamage) -> Record? {
    guard try records.beginRecord() else { return nil }
    let header = Header(try records.take(Header.size(version)), version)
    guard header.length > 0 else { throw CaptureDamage(text: "A record claims to have 0 bytes.") }
    time.microseconds &+= header.wait
    var record = Record(
      .none(Self.types[header.type] ?? .remark), at: time, try records.takeRecord(UInt32(header.length - 1)))
    record.omitted = max(0, Int(header.originalLength) - Int(header.length))
    return record
  }

  private struct Header {
    let length, originalLength: UInt16
    let wait: Int64
    let type: UInt8

    static func size(_ version: UInt8) -> Int { version == 1 ? 7 : 9 }

    init(_ bytes: ArraySlice<UInt8>, _ version: UInt8) {
      var fields = ByteReader(bytes)
      length = fields.field()
      originalLength = version == 1 ? length : fields.field()
      wait = Int64(fields.field(UInt32.self))
      type = fields.field()
    }
  }

  /// Subtracts from the time of the last packet what all of them waited.
  private mutating func goBackToFirst() {
    var rest = records.preview(ByteStream.longestRecord)
    while rest.count >= Header.size(version) {
      let header = Header(rest, version)
      time.microseconds &-= header.wait
      rest = rest.dropFirst(Header.size(version) + max(0, Int(header.length) - 1))
    }
  }
}

// MARK: The text

extension BTSnoozReader {
  private static let marker = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)

  /// Goes on to the line after the marker, which is where a record begins: the place of all packets. false: there is none.
  private static func findLog(in text: ByteStream) throws(CaptureFileError.Reason) -> Bool {
    do throws(CaptureDamage) {
      guard try text.skip(to: marker), try text.skip(to: [UInt8(ascii: "\n")]) else { return false }
      return try text.beginRecord()
    } catch {
      throw error.reason
    }
  }
}
