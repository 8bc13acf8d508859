import Framing

/// The central directory of a zip archive (APPNOTE 4.3.12 to 4.3.16).
struct ZipDirectory {
  private static let endSignature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
  private static let endSize = 22
  private static let longestComment = 65535

  /// Its place in the archive.
  let range: Range<Int>

  init(of bytes: any StoredBytes) throws(CaptureDamage) {
    let tailStart = max(0, bytes.count - Self.endSize - Self.longestComment)
    let tail = try bytes.bytes(in: tailStart..<bytes.count)
    guard let end = Self.end(in: tail) else {
      throw CaptureDamage(text: "The zip archive is cut off: its directory, which is at the end, is missing.")
    }
    var fields = ByteReader(tail[(end + 12)...])
    let (size, offset): (UInt32, UInt32) = (fields.field(), fields.field())
    if offset == .max || size == .max {
      range = try Self.longRange(bytes, end: tailStart + end)
    } else {
      range = try Self.range(UInt64(offset), UInt64(size), in: bytes)
    }
  }

  private static func end(in tail: [UInt8]) -> Int? {
    guard tail.count >= endSize else { return nil }
    return (0...(tail.count - endSize)).last { start in
      tail[start] == endSignature[0] && tail[start...].starts(with: endSignature)
    }
  }

  /// An archive of more than 4 GB (zip64): 20 bytes before the end is the place of its own end, which has size and place.
  private static func longRange(_ bytes: any StoredBytes, end: Int) throws(CaptureDamage) -> Range<Int> {
    guard end >= 20 else { throw .cutOff }
    var locator = ByteReader(try bytes.bytes(in: (end - 12)..<(end - 4))[...])
    let place: UInt64 = locator.field()
    guard let start = Int(exactly: place), start <= bytes.count else { throw .cutOff }
    let long = try bytes.bytes(in: start..<min(start + 56, bytes.count))
    guard long.starts(with: [0x50, 0x4B, 0x06, 0x06]), long.count == 56 else { throw .cutOff }
    var fields = ByteReader(long[40...])
    let (size, offset): (UInt64, UInt64) = (fields.field(), fields.field())
    return try range(offset, size, in: bytes)
  }

  private static func range(_ offset: UInt64, _ size: UInt64, in bytes: any StoredBytes) throws(CaptureDamage)
    -> Range<Int>
  {
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard !overflow, end <= UInt64(bytes.count) else { throw .cutOff }
    return Int(offset)..<Int(end)
  }
}

// MARK: Entries

extension ZipDirectory {
  /// The next entry; nil: there is none.
  ///
  ///     50 4B 01 02  versions(4)  flags(2)  method(2)  time(4)  checksum(4)  size in the archive(4)  size(4)
  ///     length of the name(2)  of the extra field(2)  of the comment(2)  disk(2)  attributes(6)  local header(4)
  static func takeEntry(_ stream: ByteStream) throws(CaptureDamage) -> ZipArchive.Entry? {
    guard try stream.peek(4).elementsEqual([0x50, 0x4B, 0x01, 0x02]) else { return nil }
    var fields = ByteReader(try stream.take(46))
    fields.skip(8)
    let (flags, method): (UInt16, UInt16) = (fields.field(), fields.field())
    fields.skip(8)
    let (size, wholeSize): (UInt32, UInt32) = (fields.field(), fields.field())
    let (nameLength, extraLength): (UInt16, UInt16) = (fields.field(), fields.field())
    let commentLength: UInt16 = fields.field()
    fields.skip(8)
    let header: UInt32 = fields.field()
    let name = String(decoding: try stream.take(Int(nameLength)), as: UTF8.self)
    let extra = try stream.take(Int(extraLength))
    try stream.skip(Int(commentLength))

    let long = longNumbers(extra, for: [wholeSize, size, header])
    return ZipArchive.Entry(
      name: name, method: flags & 1 == 0 ? ZipArchive.Entry.Method(rawValue: method) : nil,
      size: Int(clamping: long[1]), header: Int(clamping: long[2]))
  }

  /// The numbers, of which those that are 0xFFFFFFFF are in the extra field 1, in this order (4.5.3).
  private static func longNumbers(_ extra: ArraySlice<UInt8>, for numbers: [UInt32]) -> [UInt64] {
    var fields = ByteReader(extra)
    while fields.rest.count >= 4 {
      let (kind, length): (UInt16, UInt16) = (fields.field(), fields.field())
      guard kind != 1 else { break }
      fields.skip(Int(length))
    }
    return numbers.map { $0 == .max ? fields.field() : UInt64($0) }
  }
}
