import Cryptography
import Framing

/// The functions of bytes, and of text by its bytes in UTF-8.
extension Expression.Function {
  func applyToBytes(_ arguments: [Value]) throws(EvaluationError) -> Value {
    for (index, value) in arguments.enumerated() { try requirement(ofArgument: index)?.check(value) }
    let arguments = FunctionArguments(values: arguments)
    switch self {
    case .hex: return .text(try Self.hex(arguments.bytes(0), separator: arguments.optionalBytes(1)))
    case .slice: return arguments.slice()
    case .find: return .integer(arguments.place())
    case .replace:
      let search = ByteSearch(arguments.bytes(1))
      return try arguments.likeFirst(search.replacingAll(in: arguments.bytes(0), by: arguments.bytes(2)))
    case .utf8: return try Value.limited(arguments.bytes(0))
    case .xor:
      let mask = arguments.bytes(1)
      return .bytes(arguments.bytes(0).enumerated().map { $1 ^ mask[$0 % mask.count] })
    case .reverse: return .bytes(arguments.bytes(0).reversed())
    case .fill: return .bytes(try Self.fill(arguments.byte(0), count: arguments.integer(1)))
    case .patch: return .bytes(arguments.patched())
    case .slip: return try Value.limited(SLIP.escaped(arguments.bytes(0)))
    case .unslip: return .bytes(try SLIP.unescaped(arguments.bytes(0)))
    case .escape:
      let stuffing = ByteStuffing(escape: arguments.byte(1), mask: arguments.byte(3))
      return try Value.limited(stuffing.escaped(arguments.bytes(0), arguments.bytes(2)))
    case .unescape:
      let stuffing = ByteStuffing(escape: arguments.byte(1), mask: arguments.byte(2))
      return .bytes(try stuffing.unescaped(arguments.bytes(0)))
    case .base64: return try Value.limited(arguments.bytes(0).base64)
    case .fromBase64: return .bytes(try Base64.decode(arguments.bytes(0)))
    default: preconditionFailure("'\(rawValue)' was checked to fit its arguments")
    }
  }

  private static func hex(_ bytes: [UInt8], separator: [UInt8]) throws(EvaluationError) -> String {
    let size = bytes.count * 2 + Swift.max(0, bytes.count - 1) * separator.count
    guard size <= Value.largestSize else { throw .tooLong(size) }
    var text: [UInt8] = []
    text.reserveCapacity(size)
    for (index, byte) in bytes.enumerated() {
      if index > 0 { text += separator }
      text.append(HexText.digit(byte >> 4))
      text.append(HexText.digit(byte & 0x0F))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func fill(_ byte: UInt8, count: Int64) throws(EvaluationError) -> [UInt8] {
    guard count <= Value.largestSize else { throw .tooLong(Int(count)) }
    return Array(repeating: byte, count: Swift.max(0, Int(count)))
  }
}

/// The arguments of a function, of checked types.
struct FunctionArguments {
  let values: [Value]

  /// Bytes, or a text in UTF-8.
  func bytes(_ index: Int) -> [UInt8] {
    if case .bytes(let bytes) = values[index] { return bytes }
    return values[index].utf8
  }

  /// Empty where the argument is missing.
  func optionalBytes(_ index: Int) -> [UInt8] { index < values.count ? bytes(index) : [] }

  func integer(_ index: Int) -> Int64 {
    guard case .integer(let number) = values[index] else {
      preconditionFailure("a number was checked to stand here")
    }
    return number
  }

  /// A number that was checked to be a byte.
  func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: integer(index)) }

  /// A value of the first argument's type.
  func likeFirst(_ bytes: [UInt8]) throws(EvaluationError) -> Value {
    guard case .text = values[0] else { return try Value.limited(bytes) }
    return try Value.limited(String(decoding: bytes, as: UTF8.self))
  }
}

extension FunctionArguments {
  /// A number of bytes from an index on, without those outside; of a text, without the characters that are only partly
  /// among them.
  func slice() -> Value {
    let bytes = bytes(0)
    let range = range(from: integer(1), count: integer(2), in: bytes.count)
    guard case .text = values[0] else { return .bytes(Array(bytes[range])) }
    let start = range.first { bytes[$0].beginsCharacter } ?? range.upperBound
    var end = range.upperBound
    while end > start, end < bytes.count, !bytes[end].beginsCharacter { end -= 1 }
    return .text(String(decoding: bytes[start..<end], as: UTF8.self))
  }

  private func range(from: Int64, count: Int64, in size: Int) -> Range<Int> {
    let (sum, isBeyond) = from.addingReportingOverflow(max(0, count))
    let end = isBeyond ? Int64.max : sum
    return (from..<end).clamped(to: 0..<Int64(size)).asInts
  }

  /// The index of the first occurrence; -1 if there is none.
  func place() -> Int64 {
    let bytes = bytes(0)
    let start = values.count > 2 ? max(0, integer(2)) : 0
    guard start <= bytes.count else { return -1 }
    return ByteSearch(self.bytes(1)).first(in: bytes, from: Int(start)).map(Int64.init) ?? -1
  }

  /// The first argument, overwritten with the third one from an index on, as far as it reaches.
  func patched() -> [UInt8] {
    var bytes = bytes(0)
    let new = self.bytes(2)
    let range = range(from: integer(1), count: Int64(new.count), in: bytes.count)
    let skipped = range.isEmpty ? 0 : Int(Int64(range.lowerBound) - integer(1))
    bytes.replaceSubrange(range, with: new[skipped..<skipped + range.count])
    return bytes
  }
}

extension Range<Int64> {
  fileprivate var asInts: Range<Int> { Int(lowerBound)..<Int(upperBound) }
}

extension UInt8 {
  /// Whether it is the first byte of a character in UTF-8.
  fileprivate var beginsCharacter: Bool { self & 0xC0 != 0x80 }
}
