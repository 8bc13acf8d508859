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
      try encode(text.utf8, into: &bytes)
    case .bytes(let value): try encode(value, into: &bytes)
    case .boolean(let flag): bytes.append(flag ? 1 : 0)
    default: preconditionFailure("\(value.type) was checked to fit \(self)")
    }
  }

  private func encode(_ number: Int64, into bytes: inout [UInt8]) {
    switch self {
    case .integer(let width, _, let bigEndian): Self.append(number, width, bigEndian, to: &bytes)
    case .varint(let signed):
      Varint.append(signed ? Varint.folded(number) : UInt64(bitPattern: number), to: &bytes)
    case .bcd(let width, let bigEndian): Self.append(Self.packed(number), width, bigEndian, to: &bytes)
    case .dec(let digits, let sign):
      let isNegative = number < 0
      let least = digits.lowerBound - (sign == .counted && isNegative ? 1 : 0)
      if isNegative { bytes.append(UInt8(ascii: "-")) }
      DigitText.append(number.magnitude, radix: 10, least: least, to: &bytes)
    case .hex(let digits, let isLower):
      let number = UInt64(bitPattern: number)
      DigitText.append(number, radix: 16, least: digits.lowerBound, isLower: isLower, to: &bytes)
    case .boolean, .bits, .bytes, .text, .hexBytes, .float, .medical, .mac, .macText, .named: break
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

  private func encode(_ value: some Collection<UInt8>, into bytes: inout [UInt8]) throws(EncodingError) {
    switch self {
    case .bytes(let counts, let pad), .text(let counts, let pad):
      let missing = try Self.missing(value.count, counts)
      bytes += value
      bytes += repeatElement(pad, count: missing)
    case .hexBytes(let counts, let isLower):
      let missing = try Self.missing(value.count, counts)
      for byte in value { DigitText.append(byte, isLower: isLower, to: &bytes) }
      bytes += repeatElement(UInt8(ascii: "0"), count: 2 * missing)
    case .mac(let isReversed):
      try Self.checkAddress(value.count)
      if isReversed { bytes += value.reversed() } else { bytes += value }
    case .macText(let isReversed, let isLower):
      try Self.checkAddress(value.count)
      for (index, byte) in (isReversed ? value.reversed() : Array(value)).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ":")) }
        DigitText.append(byte, isLower: isLower, to: &bytes)
      }
    default: preconditionFailure("bytes were checked to fit \(self)")
    }
  }

  /// How many bytes a value needs to reach its size, if that is fixed.
  private static func missing(_ count: Int, _ counts: ClosedRange<Int>) throws(EncodingError) -> Int {
    guard count <= counts.upperBound else { throw .tooLong(count: count, limit: counts.upperBound) }
    if counts.count == 1 { return counts.lowerBound - count }
    guard count >= counts.lowerBound else { throw .tooFew(count: count, least: counts.lowerBound) }
    return 0
  }

  /// Checks that an address is whole.
  private static func checkAddress(_ count: Int) throws(EncodingError) {
    guard count <= macSize else { throw .tooLong(count: count, limit: macSize) }
    guard count == macSize else { throw .tooFew(count: count, least: macSize) }
  }

  private static func append(
    _ number: Int64, _ width: Int, _ bigEndian: Bool, to bytes: inout [UInt8]
  ) {
    (bigEndian ? ByteOrder.bigEndian : .littleEndian)
      .append(UInt64(bitPattern: number), width: width, to: &bytes)
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
  package func decode(_ bytes: Span<UInt8>) -> Value? {
    guard sizes.contains(bytes.count) else { return nil }
    switch self {
    case .integer(let width, let signed, let bigEndian):
      let bits = Self.number(bytes, bigEndian)
      let unused = 64 - 8 * width
      return .integer(signed ? Int64(bitPattern: bits << unused) >> unused : Int64(bitPattern: bits))
    case .varint(let signed):
      guard let (number, size) = Varint.read(bytes, at: 0), size == bytes.count else { return nil }
      return .integer(signed ? Varint.unfolded(number) : Int64(bitPattern: number))
    case .boolean:
      guard let (number, size) = Varint.read(bytes, at: 0), size == bytes.count else { return nil }
      return .boolean(number != 0)
    case .bcd(_, let bigEndian): return Self.unpacked(Self.number(bytes, bigEndian)).map(Value.integer)
    case .bits: return nil
    case .bytes: return .bytes(bytes.array)
    case .text:
      // Replacement characters for other bytes than UTF-8 could not be encoded again.
      guard let text = try? UTF8Span(validating: bytes.extracting(first: textSize(bytes))) else { return nil }
      return .text(String(copying: text))
    case .dec(let digits, let sign):
      return DigitText.decimal(bytes, digits: digits, sign).map(Value.integer)
    case .hex(let digits, _):
      let number = DigitText.number(bytes, radix: 16, least: digits.lowerBound)
      return number.map { .integer(Int64(bitPattern: $0)) }
    case .hexBytes: return DigitText.bytes(bytes).map(Value.bytes)
    case .float(let width, let bigEndian):
      return .decimal(BinaryFloat.number(of: Self.number(bytes, bigEndian), width: width))
    case .medical(let float): return float.number(of: Self.number(bytes, false)).map(Value.decimal)
    case .mac(let isReversed): return .bytes(isReversed ? bytes.array.reversed() : bytes.array)
    case .macText(let isReversed, _):
      return DigitText.pairs(bytes).map { .bytes(isReversed ? $0.reversed() : $0) }
    case .named(_, let encoding):
      guard case .integer(let number) = encoding.decode(bytes) else { return nil }
      return value(of: number)
    }
  }

  /// The value of some bits; nil if the number has no name, but must have one.
  func value(of number: Int64) -> Value? {
    guard case .named(let names, _) = self else { return .integer(number) }
    return names.name(of: number).map(Value.text)
  }

  /// Whether these bytes match this encoding.
  func accepts(_ bytes: Span<UInt8>) -> Bool {
    if acceptsAllBytes { return sizes.contains(bytes.count) }
    guard case .text = self else { return decode(bytes) != nil }
    guard sizes.contains(bytes.count) else { return false }
    return (try? UTF8Span(validating: bytes.extracting(first: textSize(bytes)))) != nil
  }

  /// The number that a reader gets for this one; nil if it does not fit.
  package func nearest(to number: Double) -> Double? {
    var bytes: [UInt8] = []
    guard (try? encode(.decimal(number), into: &bytes)) != nil, case .decimal(let read) = decode(bytes.span)
    else {
      return nil
    }
    return read
  }

  private static func number(_ bytes: Span<UInt8>, _ bigEndian: Bool) -> UInt64 {
    (bigEndian ? ByteOrder.bigEndian : .littleEndian).number(in: bytes)
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

  /// The number of bytes of a text without those that fill it up.
  private func textSize(_ bytes: Span<UInt8>) -> Int {
    var count = bytes.count
    guard case .text(let counts, let pad) = self, counts.count == 1 else { return count }
    while count > 0, bytes[count - 1] == pad { count -= 1 }
    return count
  }
}
