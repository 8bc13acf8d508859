import DeviceModel
import Framing

/// Where the device gets a field of a message that it sends.
enum Origin: Hashable, Sendable {
  case expression(Expression)
  /// A variable, by index, that changes once the message is sent, with its next value.
  case counter(Int, next: Expression)
  /// A column of the message's recorded values.
  case recorded
  /// The checksum of what comes after it.
  case checksum(Checksum)
}

/// Two frames that belong together.
struct FramePair: Hashable, Sendable {
  var request: [UInt8]
  var answer: [UInt8]
}

extension FieldType {
  /// Bytes in place of text: what is computed from other fields may be no text.
  var plain: FieldType { if case .text(let width) = self { .bytes(width) } else { self } }

  /// Whether the same bytes are the same value.
  func hasValues(of other: FieldType) -> Bool {
    switch (self, other) {
    case (.bytes, .bytes), (.digits(.decimal, _), .digits(.decimal, _)): true
    case (.integer(1, _, let isSigned), .integer(1, _, let otherIsSigned)): isSigned == otherIsSigned
    default: self == other
    }
  }

  /// The value that bytes of the received frame have.
  func expression(at offset: Int, isReversed: Bool) -> Expression {
    let (frame, start) = (Expression.known(.frame), Expression.number(offset))
    switch self {
    case .integer(let width, let order, let isSigned):
      let encoding = FieldEncoding.integer(width, isReversed ? order.opposite : order, isSigned: isSigned)
      return .decoded(encoding, of: frame, at: start)
    case .float(let order):
      let isBig = (isReversed ? order.opposite : order) == .bigEndian
      return .decoded(.float(width: 4, bigEndian: isBig), of: frame, at: start)
    case .digits(_, nil), .word: return .known(.frame)
    case .bytes, .text, .digits:
      let part = Expression.call(.slice, [frame, start, .number(width)])
      return isReversed ? .call(.reverse, [part]) : part
    }
  }
}

extension ByteOrder {
  fileprivate var opposite: ByteOrder { self == .bigEndian ? .littleEndian : .bigEndian }
}
