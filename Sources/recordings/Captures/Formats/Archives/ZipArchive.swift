import Framing

/// A zip archive (PKWARE's APPNOTE): the list of its files, and their contents in pieces.
struct ZipArchive {
  struct Entry {
    enum Method: UInt16 {
      case stored = 0
      case deflated = 8
    }

    let name: String
    /// nil: encrypted, or a method that nobody uses.
    let method: Method?
    /// In the archive.
    let size: Int
    /// The place of its local header.
    let header: Int
  }

  private let bytes: any StoredBytes
  /// For the contents of all files together.
  let limit: InflationLimit
  let entries: [Entry]

  static func recognizes(_ start: some Sequence<UInt8>) -> Bool {
    start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  init(_ bytes: any StoredBytes, _ limit: InflationLimit) throws(CaptureDamage) {
    (self.bytes, self.limit) = (bytes, limit)
    let directory = try ZipDirectory(of: bytes)
    let stream = ByteStream(StoredPart(bytes, directory.range))
    var entries: [Entry] = []
    while let entry = try ZipDirectory.takeEntry(stream) { entries.append(entry) }
    self.entries = entries
  }

  /// What the file contains; nil: blemu cannot decompress it.
  func contents(of entry: Entry) throws(CaptureDamage) -> (any ByteSource)? {
    guard let method = entry.method else { return nil }
    // Local header (4.3.7): 30 bytes, of which the lengths of name and extra field are the last, and these two.
    let (beginning, overflow) = entry.header.addingReportingOverflow(30)
    guard !overflow, entry.header >= 0 else { throw .cutOff }
    let header = try bytes.bytes(in: entry.header..<beginning)
    guard header.starts(with: [0x50, 0x4B, 0x03, 0x04]), header.count == 30 else { throw .cutOff }
    var lengths = ByteReader(header[26...])
    let (name, extra): (UInt16, UInt16) = (lengths.field(), lengths.field())
    let start = beginning &+ Int(name) &+ Int(extra)
    let (end, isTooLong) = start.addingReportingOverflow(entry.size)
    guard !isTooLong, entry.size >= 0, end <= bytes.count else { throw .cutOff }
    let part = StoredPart(bytes, start..<end)
    return method == .stored ? part : InflatedBytes(part, .deflate, limit)
  }
}
