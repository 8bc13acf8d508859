/// Why a value cannot be encoded or a message cannot be built.
package enum EncodingError: Error, Hashable, Sendable {
  case outOfRange(Int64, ClosedRange<Int64>)
  case outOfBounds(Double, ClosedRange<Double>)
  /// No number of the field has this name.
  case notNamed(String, [String])
  case tooLong(count: Int, limit: Int)
  case tooFew(count: Int, least: Int)
  /// A checksum covers more bytes than precede it.
  case tooShort(count: Int, needed: Int)
  /// The definition's checksum with this name has no value for the message.
  case noChecksum(String, problem: String)
  /// A repeated part cannot have this number of rows.
  case rowCount(Int, ClosedRange<Int>)
  /// A message cannot contain its own size, of about this many bytes, because each number of bytes changes it.
  case noLength(Int)
  /// The field with this name has no value.
  case missing(String)
}

extension EncodingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .outOfRange(let number, let range): "\(number) is not in \(range.lowerBound)…\(range.upperBound)"
    case .outOfBounds(let number, let bounds):
      "\(number) is not in \(bounds.lowerBound)…\(bounds.upperBound)"
    case .notNamed(let name, let known): "'\(name)' is not one of \(known.joined(separator: ", "))"
    case .tooLong(let count, let limit): "\(count) bytes do not fit into \(limit)"
    case .tooFew(let count, let least): "\(count) bytes; at least \(least) are needed"
    case .tooShort(let count, let needed): "a checksum covers \(needed) bytes, but only \(count) precede it"
    case .noChecksum(let name, let problem): "the checksum '\(name)' cannot be computed: \(problem)"
    case .rowCount(let count, let range): "\(count) rows, expected \(range.phrase)"
    case .noLength(let size): "a varint cannot hold the size of this message, of about \(size) bytes"
    case .missing(let name): "the field '\(name)' has no value"
    }
  }
}

extension ClosedRange<Int> {
  /// `4`, or `0…4`.
  fileprivate var phrase: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)…\(upperBound)"
  }
}
