import Framing

extension FieldEncoding {
  /// Checks that a value of ``valueType`` can be encoded.
  package func check(_ value: Value) throws(EncodingError) {
    var bytes: [UInt8] = []
    try encode(value, into: &bytes)
  }

  /// Appends a value of ``valueType`` to bytes; bits are only checked, because they share a byte.
  package func encode(_ value: Value, into bytes: inout [UInt8]) throws(EncodingError) {
    switch value {
    case .integer(let number):
      guard let range else { preconditionFailure("a number was checked to fit \(self)") }
      guard range.contains(number) else { throw .outOfRange(number, range) }
      encode(number, into: &bytes)
    case .decimal(let number): try encode(number, into: &bytes)
    case .text(let text):
      if case .named(let names, let encoding) = self {
        return try encoding.encode(.integer(try names.number(named: text)), into: &bytes)
      }
      try encode(Array(text.utf8), into: &bytes)
    case .bytes(let value): try encode(value, into: &bytes)
    default: preconditionFailure("\(value.type) was checked to fit \(self)")
    }
  }

  private func encode(_ number: Int64, into bytes: inout [UInt8]) {
    switch self {
    case .integer(let width, _, let bigEndian): Self.append(number, width, bigEndian, to: &bytes)
    case .bcd(let width, let bigEndian): Self.append(Self.packed(number), width, bigEndian, to: &bytes)
    case .dec(let digits, let sign):
      let isNegative = number < 0
      let least = digits.lowerBound - (sign == .counted && isNegative ? 1 : 0)
      bytes += (isNegative ? "-" : "").utf8 + DigitText.format(number.magnitude, radix: 10, least: least)
    case .hex(let digits, let isLower):
      let number = UInt64(bitPattern: number)
      bytes += DigitText.format(number, radix: 16, least: digits.lowerBound, isLower: isLower)
    case .bits, .bytes, .text, .hexBytes, .float, .medical, .mac, .macText, .named: break
    }
  }

  private func encode(_ number: Double, into bytes: inout [UInt8]) throws(EncodingError) {
    switch self {
    case .float(let width, let bigEndian):
      let bits = try BinaryFloat.bits(of: number, width: width)
      Self.append(Int64(bitPattern: bits), width, bigEndian, to: &bytes)
    case .medical(let float):
      Self.append(Int64(bitPattern: try float.bits(of: number)), float.width, false, to: &bytes)
    default: preconditionFailure("a decimal number was checked to fit \(self)")
    }
  }

  private func encode(_ value: [UInt8], into bytes: inout [UInt8]) throws(EncodingError) {
    switch self {
    case .bytes(let counts, let pad), .text(let counts, let pad):
      bytes += try Self.filled(value, counts, pad)
    case .hexBytes(let counts, let isLower):
      for byte in try Self.filled(value, counts, 0) {
        bytes += DigitText.format(UInt64(byte), radix: 16, least: 2, isLower: isLower)
      }
    case .mac(let isReversed): bytes += try Self.address(value, isReversed)
    case .macText(let isReversed, let isLower):
      let pairs = try Self.address(value, isReversed).map {
        DigitText.format(UInt64($0), radix: 16, least: 2, isLower: isLower)
      }
      bytes += pairs.joined(separator: [UInt8(ascii: ":")])
    default: preconditionFailure("bytes were checked to fit \(self)")
    }
  }

  /// The value, padded if the size is fixed.
  private static func filled(
    _ value: [UInt8], _ counts: ClosedRange<Int>, _ pad: UInt8
  ) throws(EncodingError) -> [UInt8] {
    guard value.count <= counts.upperBound else {
      throw .tooLong(count: value.count, limit: counts.upperBound)
    }
    if counts.count == 1 { return value + repeatElement(pad, count: counts.lowerBound - value.count) }
    guard value.count >= counts.lowerBound else {
      throw .tooFew(count: value.count, least: counts.lowerBound)
    }
    return value
  }

  /// The bytes of an address, none of them missing.
  private static func address(_ value: [UInt8], _ isReversed: Bool) throws(EncodingError) -> [UInt8] {
    guard value.count <= macSize else { throw .tooLong(count: value.count, limit: macSize) }
    guard value.count == macSize else { throw .tooFew(count: value.count, least: macSize) }
    return isReversed ? value.reversed() : value
  }

  private static func append(
    _ number: Int64, _ width: Int, _ bigEndian: Bool, to bytes: inout [UInt8]
  ) {
    for index in 0..<width {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (bigEndian ? width - 1 - index : index))))
    }
  }

  /// A number with one decimal digit in each nibble.
  private static func packed(_ number: Int64) -> Int64 {
    var packed: Int64 = 0
    var (rest, shift) = (number, 0)
    while rest > 0 {
      packed |= (rest % 10) << shift
      (rest, shift) = (rest / 10, shift + 4)
    }
    return packed
  }
}

extension FieldEncoding {
  /// The value of these bytes; nil if they do not match this encoding.
  package func decode(_ bytes: ArraySlice<UInt8>) -> Value? {
    guard sizes.contains(bytes.count) else { return nil }
    switch self {
    case .integer(let width, let signed, let bigEndian):
      let bits = Self.number(bytes, bigEndian)
      let unused = 64 - 8 * width
      return .integer(signed ? Int64(bitPattern: bits << unused) >> unused : Int64(bitPattern: bits))
    case .bcd(_, let bigEndian): return Self.unpacked(Self.number(bytes, bigEndian)).map(Value.integer)
    case .bits: return nil
    case .bytes: return .bytes(Array(bytes))
    case .text(let counts, let pad): return Self.text(bytes, filledWith: counts.count == 1 ? pad : nil)
    case .dec(let digits, let sign):
      return DigitText.decimal(bytes, digits: digits, sign).map(Value.integer)
    case .hex(let digits, _):
      let number = DigitText.number(bytes, radix: 16, least: digits.lowerBound)
      return number.map { .integer(Int64(bitPattern: $0)) }
    case .hexBytes: return DigitText.bytes(bytes).map(Value.bytes)
    case .float(let width, let bigEndian):
      return .decimal(BinaryFloat.number(of: Self.number(bytes, bigEndian), width: width))
    case .medical(let float): return float.number(of: Self.number(bytes, false)).map(Value.decimal)
    case .mac(let isReversed): return .bytes(isReversed ? bytes.reversed() : Array(bytes))
    case .macText(let isReversed, _):
      return DigitText.pairs(bytes).map { .bytes(isReversed ? $0.reversed() : $0) }
    case .named(let names, let encoding):
      guard case .integer(let number) = encoding.decode(bytes) else { return nil }
      return names.name(of: number).map(Value.text)
    }
  }

  /// The number that a reader gets for this one; nil if it does not fit.
  package func nearest(to number: Double) -> Double? {
    var bytes: [UInt8] = []
    guard (try? encode(.decimal(number), into: &bytes)) != nil, case .decimal(let read) = decode(bytes[...])
    else {
      return nil
    }
    return read
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ bigEndian: Bool) -> UInt64 {
    var number: UInt64 = 0
    if bigEndian {
      for byte in bytes { number = number << 8 | UInt64(byte) }
    } else {
      for byte in bytes.reversed() { number = number << 8 | UInt64(byte) }
    }
    return number
  }

  private static func unpacked(_ packed: UInt64) -> Int64? {
    var (number, place): (Int64, Int64) = (0, 1)
    var rest = packed
    while rest > 0 {
      let digit = Int64(rest & 0xF)
      guard digit < 10 else { return nil }
      number += digit * place
      (rest, place) = (rest >> 4, place * 10)
    }
    return number
  }

  /// The text in UTF-8; nil for other bytes: replacement characters could not be encoded again.
  private static func text(_ bytes: ArraySlice<UInt8>, filledWith pad: UInt8?) -> Value? {
    var bytes = bytes
    while let pad, bytes.last == pad { bytes.removeLast() }
    return String(validating: bytes, as: UTF8.self).map(Value.text)
  }
}
