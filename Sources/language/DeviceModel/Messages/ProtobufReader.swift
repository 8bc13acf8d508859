/// Walks through the fields of a message of Protocol Buffers.
struct ProtobufReader {
  struct Entry {
    var number: UInt64
    var type: ProtobufWireType
    /// The bytes of its value, without their length.
    var place: Range<Int>
  }

  private var position: Int
  private let end: Int
  /// Whether the bytes are no message.
  private(set) var isBroken = false

  init(_ place: Range<Int>) { (position, end) = (place.lowerBound, place.upperBound) }

  /// The next field; nil: there is none, or the bytes are no message. It skips groups, which have long been deprecated.
  mutating func next(in frame: Span<UInt8>, _ steps: inout Int) -> Entry? {
    var depth = 0
    while position < end {
      steps += 1
      guard let entry = take(from: frame), entry.type != .groupEnd || depth > 0 else {
        isBroken = true
        return nil
      }
      switch entry.type {
      case .groupStart: depth += 1
      case .groupEnd: depth -= 1
      default: if depth == 0 { return entry }
      }
    }
    if depth > 0 { isBroken = true }
    return nil
  }

  private mutating func take(from frame: Span<UInt8>) -> Entry? {
    guard let tag = number(in: frame), let type = ProtobufWireType(rawValue: tag & 7), tag >= 8,
      tag >> 3 <= UInt64(ProtobufLayout.mostNumber)
    else { return nil }
    let start = position
    switch type {
    case .varint: if number(in: frame) == nil { return nil }
    case .fixed32: position += 4
    case .fixed64: position += 8
    case .length:
      guard let size = number(in: frame), size <= UInt64(end - position) else { return nil }
      position += Int(size)
      return Entry(number: tag >> 3, type: type, place: position - Int(size)..<position)
    case .groupStart, .groupEnd: break
    }
    if position > end { return nil }
    return Entry(number: tag >> 3, type: type, place: start..<position)
  }

  private mutating func number(in frame: Span<UInt8>) -> UInt64? {
    guard let (number, size) = Varint.read(frame, at: position), position + size <= end else { return nil }
    position += size
    return number
  }
}
