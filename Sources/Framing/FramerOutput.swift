/// What a framer made of the bytes it was given.
package enum FramerOutput: Hashable, Sendable {
  case frame([UInt8])
  /// Bytes that belong to no frame.
  case discarded([UInt8], reason: DiscardReason)
}

/// Why bytes belong to no frame.
package enum DiscardReason: Hashable, Sendable {
  case badChecksum(expected: [UInt8], found: [UInt8])
  /// The packet claims a length that no frame can have.
  case badLength(Int, allowed: ClosedRange<Int>)
  case badTail(expected: [UInt8], found: [UInt8])
  /// These bytes lie before the start of a packet.
  case noStart(expected: [UInt8])
  /// No frame ended within so many bytes.
  case overflow(limit: Int)
  /// The frame was unfinished when nothing more had come for so long.
  case gap(Duration)
  /// The frame was unfinished when the stream ended.
  case endOfStream
}

extension DiscardReason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badChecksum(let expected, let found):
      "checksum is \(HexText.format(found)), should be \(HexText.format(expected))"
    case .badLength(let length, let allowed):
      "length \(length) is outside \(allowed.lowerBound) to \(allowed.upperBound)"
    case .badTail(let expected, let found):
      "ends in \(HexText.format(found)), should end in \(HexText.format(expected))"
    case .noStart(let expected):
      "does not start with \(HexText.format(expected))"
    case .overflow(let limit):
      "no frame ended within \(limit) bytes"
    case .gap(let gap):
      "unfinished after \(gap.wholeMilliseconds) ms of silence"
    case .endOfStream:
      "unfinished when the stream ended"
    }
  }
}
