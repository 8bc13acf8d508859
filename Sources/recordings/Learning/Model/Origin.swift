import DeviceModel
import Framing

/// Where the device gets a field of a message that it sends.
enum Origin: Hashable, Sendable {
  case expression(Expression)
  /// A variable, by index, that changes once the message is sent, with its next value.
  case counter(Int, next: Expression)
  /// A column of the message's recorded values, in order.
  case recorded
  /// A column of the message's recorded values, by a field of the request.
  case lookup(key: Int)
  /// The checksum of what comes after it.
  case checksum(Checksum)
}

/// Two frames that belong together.
struct FramePair: Hashable, Sendable {
  var request: [UInt8]
  var answer: [UInt8]
}

extension MessageLayout.Place {
  /// The expression of the request that gives this field in all pairs, and how many values it had; nil: there is none.
  ///
  /// - Parameter request: the layout of the request.
  func echo(in pairs: [FramePair], _ request: MessageLayout) -> (expression: Expression, claim: String)? {
    let type = type.plain
    let answers = pairs.map { bytes(in: $0.answer) }
    let distinct = Set(answers).count
    guard distinct > 1, !answers.contains([]), pairs.count > 2 || (width ?? 2) > 1 else { return nil }
    for (index, place) in request.places.enumerated()
    where pairs.indices.allSatisfy({ place.bytes(in: pairs[$0].request) == answers[$0] }) {
      if place.type.hasValues(of: type) { return (.field(index), "echoes \(place.name)") }
    }
    guard let width, width > 0 else { return nil }
    let last = (pairs.map(\.request.count).min() ?? 0) - width
    guard last >= 0 else { return nil }
    for offset in 0...last {
      let parts = pairs.map { Array($0.request[offset..<offset + width]) }
      let claim = width == 1 ? "byte \(offset)" : "bytes \(offset) to \(offset + width - 1)"
      if parts == answers { return (type.expression(at: offset, isReversed: false), "echoes \(claim)") }
      if width > 1, parts.map({ $0.reversed() }) == answers {
        return (type.expression(at: offset, isReversed: true), "echoes \(claim) in the opposite order")
      }
    }
    return sizeEcho(in: pairs, answers)
  }

  /// The size of the request.
  private func sizeEcho(in pairs: [FramePair], _ answers: [[UInt8]]) -> (
    expression: Expression, claim: String
  )? {
    guard case .integer(_, let order, let isSigned) = type else { return nil }
    let isSize = zip(pairs, answers).allSatisfy { $0.request.count == order.number($1, isSigned: isSigned) }
    return isSize ? (.call(.size, [.known(.frame)]), "is the size of the request") : nil
  }
}

extension FieldType {
  /// Bytes in place of text: what is computed from other fields may be no text.
  var plain: FieldType { if case .text(let width) = self { .bytes(width) } else { self } }

  /// Whether the same bytes are the same value.
  func hasValues(of other: FieldType) -> Bool {
    switch (self, other) {
    case (.bytes, .bytes): true
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
    case .bytes(let width), .text(let width):
      let part = Expression.call(.slice, [frame, start, .number(width ?? 0)])
      return isReversed ? .call(.reverse, [part]) : part
    }
  }
}

extension ByteOrder {
  fileprivate var opposite: ByteOrder { self == .bigEndian ? .littleEndian : .bigEndian }
}
