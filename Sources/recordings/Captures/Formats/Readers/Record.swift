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

  /// The next record; nil at the end of the file.
  mutating func next(_ stream: ByteStream) throws(CaptureDamage) -> Record?
}

extension RecordReader {
  var notes: [CaptureNote] { [] }
}

extension ByteStream {
  /// A header of a file. A file without it is none of the format.
  func takeHead(_ count: Int) throws(CaptureFileError.Reason) -> ArraySlice<UInt8> {
    do throws(CaptureDamage) { return try take(count) } catch { throw error.reason }
  }

  /// The header of a record. A file may end with zeros instead, if the recorder was stopped by force.
  func takeHeader(_ count: Int) throws(CaptureDamage) -> ArraySlice<UInt8> {
    let header = try take(count)
    guard header.contains(where: { $0 != 0 }) else { throw CaptureDamage(text: "A record has only zeros.") }
    return header
  }

  /// The bytes of a record whose header gives their length.
  func takeRecord(_ length: UInt32) throws(CaptureDamage) -> ArraySlice<UInt8> {
    guard length <= Self.longestRecord else { throw .tooLong(length) }
    return try take(Int(length))
  }
}
