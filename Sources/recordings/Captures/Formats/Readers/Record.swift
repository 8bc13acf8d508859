import HCIPackets
import Framing

/// A record of a file, before its headers are taken off.
struct Record {
  /// What surrounds the packet.
  enum Wrapping {
    /// Nothing.
    case none(CapturedPacket.Layer)
    /// The type of an HCI packet precedes it (H4; Core Specification, Vol 4 Part A 2).
    case h4(HCIDirection?)
    /// The opcode of Linux' monitor channel tells what it is.
    case monitor(adapter: Int, opcode: UInt16)
    case link(LinkType)
  }

  var time: Instant
  var wrapping: Wrapping
  var bytes: ArraySlice<UInt8>
  /// How many bytes the recorder left out at the end.
  var omitted = 0
  /// How many packets the recorder lost before this one, as far as it says.
  var lost = 0

  init(_ wrapping: Wrapping, at time: Instant, _ bytes: ArraySlice<UInt8>) {
    (self.wrapping, self.time, self.bytes) = (wrapping, time, bytes)
  }
}

/// Reads one format.
protocol RecordReader: SendableMetatype {
  /// The format in words, as in `btsnoop (HCI, H4)`.
  var format: String { get }
  /// What a person must know about the file.
  var notes: [CaptureNote] { get }

  /// Whether a file that begins with these bytes, 16 at most, has the format.
  static func recognizes(_ start: ArraySlice<UInt8>) -> Bool

  /// Reads the head of the file.
  init(_ stream: ByteStream) throws(CaptureFileError.Reason)

  /// The next record; nil at the end of the file. After damage, the stream is at the beginning of the damaged record.
  mutating func next(_ stream: ByteStream) throws(CaptureDamage) -> Record?

  /// The length of the header of a record; nil: a record cannot be found after a damaged one.
  var headerLength: Int? { get }
  /// The length of the record that has this header; nil: it is no header of a record near the one before.
  func length(ofRecordWith header: ArraySlice<UInt8>) -> Int?
}

extension RecordReader {
  var notes: [CaptureNote] { [] }
  var headerLength: Int? { nil }
  func length(ofRecordWith _: ArraySlice<UInt8>) -> Int? { nil }

  /// Goes on to the next record after a damaged one: the first place with a header that leads to another header, or to the end of the
  /// file.
  ///
  /// - Returns: how many bytes were left out; nil: there is no other record near.
  func findRecord(in stream: ByteStream) throws(CaptureDamage) -> Int? {
    guard let headerLength else { return nil }
    let bytes = Array(try stream.peek(ByteStream.longestRecord + 2 * headerLength))
    let isAll = bytes.count < ByteStream.longestRecord + 2 * headerLength
    for place in bytes.indices.dropFirst().dropLast(headerLength - 1) {
      guard let length = length(ofRecordWith: bytes[place..<(place + headerLength)]) else { continue }
      let next = place + length
      if next + headerLength <= bytes.count {
        guard self.length(ofRecordWith: bytes[next..<(next + headerLength)]) != nil else { continue }
      } else if !isAll || next != bytes.count {
        continue
      }
      try stream.skip(place)
      return place
    }
    return nil
  }
}

extension Instant {
  /// Whether it may be the time of a record after one with another time: it differs by less than ten days.
  func isNear(_ other: Instant?) -> Bool {
    guard let other else { return true }
    let limit = Duration.seconds(10 * 24 * 3600)
    return max(duration(to: other), other.duration(to: self)) < limit
  }
}

extension ByteStream {
  /// A header of a file. A file without it is none of the format.
  func takeHead(_ count: Int) throws(CaptureFileError.Reason) -> ArraySlice<UInt8> {
    do throws(CaptureDamage) { return try take(count) } catch { throw error.reason }
  }

  /// The header of a record, which remains. A file may end with zeros instead, if the recorder was stopped by force.
  func peekHeader(_ count: Int) throws(CaptureDamage) -> ArraySlice<UInt8> {
    let header = try peek(count)
    guard header.count == count else { throw .cutOff }
    guard header.contains(where: { $0 != 0 }) else { throw CaptureDamage(text: "A record has only zeros.") }
    return header
  }

  /// The bytes of a record after a header that gives their length.
  func takeRecord(_ length: UInt32, after header: Int) throws(CaptureDamage) -> ArraySlice<UInt8> {
    guard length <= Self.longestRecord else { throw .tooLong(length) }
    return try take(header + Int(length)).dropFirst(header)
  }

  /// The bytes of a record whose header gives their length.
  func takeRecord(_ length: UInt32) throws(CaptureDamage) -> ArraySlice<UInt8> {
    guard length <= Self.longestRecord else { throw .tooLong(length) }
    return try take(Int(length))
  }
}
