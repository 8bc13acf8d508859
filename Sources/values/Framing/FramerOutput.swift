/// A frame or discarded bytes.
package enum FramerOutput: Hashable, Sendable {
  case frame([UInt8])
  /// Bytes outside any frame.
  case discarded([UInt8], reason: DiscardReason)
}

/// Why bytes are not in a frame.
package enum DiscardReason: Hashable, Sendable {
  case badChecksum(expected: [UInt8], found: [UInt8])
  /// The definition's checksum with this name has no value for the packet.
  case noChecksum(String, problem: String)
  /// The definition's expression for a whole frame is false.
  case failedCheck(String)
  /// The packet's length field has a value that no frame can have.
  case badLength(Int, allowed: ClosedRange<Int>)
  case badTail(expected: [UInt8], found: [UInt8])
  /// The bytes precede the start of a packet. An empty mask: all bits of the start count.
  case noStart(expected: [UInt8], mask: [UInt8] = [])
  /// No frame ended within this many bytes.
  case overflow(limit: Int)
  /// The frame was unfinished after a silence of this length.
  case gap(Duration)
  /// The frame was unfinished when the stream ended.
  case endOfStream
  /// The bytes cannot be decoded, for this reason.
  case undecodable(String)
}

extension DiscardReason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badChecksum(let expected, let found):
      "checksum is \(HexText.format(found)), should be \(HexText.format(expected))"
    case .noChecksum(let name, let problem):
      "the checksum '\(name)' cannot be computed: \(problem)"
    case .failedCheck(let source):
      "the check is false: \(source)"
    case .badLength(let length, let allowed):
      "length \(length) is outside \(allowed.lowerBound) to \(allowed.upperBound)"
    case .badTail(let expected, let found):
      "ends in \(HexText.format(found)), should end in \(HexText.format(expected))"
    case .noStart(let expected, let mask):
      "does not start with \(MaskedBytes(expected, mask).text)"
    case .overflow(let limit):
      "no frame ended within \(limit) bytes"
    case .gap(let gap):
      "unfinished after \(gap.wholeMilliseconds) ms of silence"
    case .endOfStream:
      "unfinished when the stream ended"
    case .undecodable(let problem):
      "cannot be decoded: \(problem)"
    }
  }
}
