/// How a value stands in bytes: the part behind the colon in `{month: u8}`.
package enum FieldEncoding: Hashable, Sendable {
  /// `u8`, `i16le`, `u24be`…: a number in two's complement or unsigned, 1 to 8 bytes.
  case integer(width: Int, signed: Bool, bigEndian: Bool)
  /// `bytes(15)`: exactly that many, a shorter value is filled up with `pad`; `bytes`: all that remain.
  case bytes(count: Int?, pad: UInt8)
  /// `text(8)` and `text`: UTF-8, likewise.
  case text(count: Int?, pad: UInt8)

  package var valueType: ValueType {
    switch self {
    case .integer: .integer
    case .bytes: .bytes
    case .text: .text
    }
  }

  /// The number of bytes; nil for "all that remain".
  package var size: Int? {
    switch self {
    case .integer(let width, _, _): width
    case .bytes(let count, _), .text(let count, _): count
    }
  }
}

/// Why a value cannot be written in an encoding.
package enum EncodingError: Error, Hashable, Sendable {
  case outOfRange(Int64, ClosedRange<Int64>)
  case tooLong(count: Int, limit: Int)
  /// So few bytes stand before a checksum that covers more.
  case tooShort(count: Int, needed: Int)
}

extension EncodingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .outOfRange(let number, let range): "\(number) is not in \(range.lowerBound)…\(range.upperBound)"
    case .tooLong(let count, let limit): "\(count) bytes do not fit into \(limit)"
    case .tooShort(let count, let needed): "a checksum covers \(needed) bytes, \(count) stand before it"
    }
  }
}

extension FieldEncoding {
  /// The numbers that fit; nil where the encoding is none of a number.
  package var range: ClosedRange<Int64>? {
    guard case .integer(let width, let signed, _) = self else { return nil }
    if width == 8 { return signed ? .min ... .max : 0 ... .max }
    let values = Int64(1) << (8 * width)
    return signed ? -(values / 2)...(values / 2 - 1) : 0...(values - 1)
  }

  /// Appends a value of ``valueType`` to bytes.
  package func encode(_ value: Value, into bytes: inout [UInt8]) throws(EncodingError) {
    switch (self, value) {
    case (.integer(let width, _, let bigEndian), .integer(let number)):
      guard range!.contains(number) else { throw .outOfRange(number, range!) }
      for index in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (bigEndian ? width - 1 - index : index))))
      }
    case (.bytes(let count, let pad), .bytes(let value)): try Self.append(value, count, pad, to: &bytes)
    case (.text(let count, let pad), .text(let text)): try Self.append(text.utf8, count, pad, to: &bytes)
    default: preconditionFailure("\(value.type) was checked to fit \(self)")
    }
  }

  private static func append(
    _ value: some Collection<UInt8>, _ count: Int?, _ pad: UInt8, to bytes: inout [UInt8]
  ) throws(EncodingError) {
    let count = count ?? value.count
    guard value.count <= count else { throw .tooLong(count: value.count, limit: count) }
    bytes.append(contentsOf: value)
    bytes.append(contentsOf: repeatElement(pad, count: count - value.count))
  }

  /// The value in bytes whose number is right.
  package func decode(_ bytes: ArraySlice<UInt8>) -> Value {
    switch self {
    case .integer(let width, let signed, let bigEndian):
      var bits: UInt64 = 0
      for byte in bigEndian ? Array(bytes) : bytes.reversed() { bits = bits << 8 | UInt64(byte) }
      let unused = 64 - 8 * width
      return .integer(signed ? Int64(bitPattern: bits << unused) >> unused : Int64(bitPattern: bits))
    case .bytes: return .bytes(Array(bytes))
    case .text(nil, _): return .text(String(decoding: bytes, as: UTF8.self))
    case .text(.some, let pad):
      return .text(String(decoding: bytes.reversed().drop { $0 == pad }.reversed(), as: UTF8.self))
    }
  }
}

extension FieldEncoding {
  /// The encoding with a name such as `u16le` or `bytes(15)`.
  init(_ text: String) throws(TextError) {
    let name = text.prefix { $0 != "(" }
    let arguments = text.dropFirst(name.count)
    let range = 0..<text.unicodeScalars.count
    if let integer = Self.integers[String(name)] {
      guard arguments.isEmpty else {
        throw TextError(message: "'\(name)' takes no arguments", range: range)
      }
      self = integer
    } else if name == "bytes" || name == "text" {
      let (count, pad) = try Self.countAndPad(arguments, range)
      self = name == "bytes" ? .bytes(count: count, pad: pad) : .text(count: count, pad: pad)
    } else {
      throw TextError(
        message: "unknown field type '\(name)'", range: 0..<name.unicodeScalars.count,
        hint: Suggestion.nearest(to: String(name), in: Self.names).map { "did you mean '\($0)'?" }
          ?? "u8, i8, u16le, u16be, …, bytes, bytes(N), text, text(N)")
    }
  }

  static let names = integers.keys.sorted() + ["bytes", "text"]

  private static let integers: [String: FieldEncoding] = {
    var integers: [String: FieldEncoding] = [:]
    for signed in [false, true] {
      let letter = signed ? "i" : "u"
      integers[letter + "8"] = .integer(width: 1, signed: signed, bigEndian: false)
      for width in [2, 3, 4, 6, 8] {
        integers[letter + "\(8 * width)le"] = .integer(width: width, signed: signed, bigEndian: false)
        integers[letter + "\(8 * width)be"] = .integer(width: width, signed: signed, bigEndian: true)
      }
    }
    return integers
  }()

  /// `(15)` or `(15, FF)`: the number of bytes and the byte that fills up, in hex.
  private static func countAndPad(
    _ arguments: Substring, _ range: Range<Int>
  ) throws(TextError) -> (Int?, UInt8) {
    guard !arguments.isEmpty else { return (nil, 0) }
    let parts = arguments.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmed }
    guard arguments.hasSuffix(")"), let first = parts.first, let count = Int(first),
      (1...512).contains(count),
      parts.count <= 2, let pad = parts.count == 1 ? 0 : UInt8(parts[1], radix: 16)
    else {
      throw TextError(
        message: "expected a number of bytes from 1 to 512, and perhaps a byte in hex that fills up",
        range: range, hint: "for example bytes(15) or bytes(15, FF)")
    }
    return (count, pad)
  }
}

extension StringProtocol {
  /// Without the spaces at both ends.
  var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }.reversed())
  }
}
