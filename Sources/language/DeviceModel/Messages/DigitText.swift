import Framing

/// Numbers as ASCII digits. It reads only the form that it writes: no leading zeros, no `-0`.
enum DigitText {
  /// Appends at least this many digits, padded with zeros.
  static func append(
    _ number: UInt64, radix: UInt64, least: Int, isLower: Bool = false, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    var rest = number
    while rest > 0 || bytes.count - start < max(1, least) {
      let digit = HexText.digit(UInt8(rest % radix))
      bytes.append(isLower && digit > UInt8(ascii: "9") ? digit | 0x20 : digit)
      rest /= radix
    }
    bytes[start...].reverse()
  }

  /// Appends the two hexadecimal digits of a byte.
  static func append(_ byte: UInt8, isLower: Bool, to bytes: inout [UInt8]) {
    append(UInt64(byte), radix: 16, least: 2, isLower: isLower, to: &bytes)
  }

  /// The number of at least this many digits; nil if it is not one, has another form, or needs more than 64 bits.
  static func number(_ digits: Span<UInt8>, radix: UInt64, least: Int) -> UInt64? {
    guard !digits.isEmpty, digits.count <= max(1, least) || digits[0] != UInt8(ascii: "0") else {
      return nil
    }
    var number: UInt64 = 0
    for index in digits.indices {
      guard let digit = value(of: digits[index]), digit < radix else { return nil }
      let (product, overflowed) = number.multipliedReportingOverflow(by: radix)
      let (sum, carried) = product.addingReportingOverflow(digit)
      if overflowed || carried { return nil }
      number = sum
    }
    return number
  }

  /// A decimal number with this many digits.
  static func decimal(_ text: Span<UInt8>, digits: ClosedRange<Int>, _ sign: DecimalSign) -> Int64? {
    let isNegative = sign != .none && !text.isEmpty && text[0] == UInt8(ascii: "-")
    let magnitude = isNegative ? text.extracting(droppingFirst: 1) : text
    guard digits.contains(sign == .counted ? text.count : magnitude.count) else { return nil }
    let least = digits.lowerBound - (sign == .counted && isNegative ? 1 : 0)
    guard let number = number(magnitude, radix: 10, least: least) else { return nil }
    guard isNegative else { return Int64(exactly: number) }
    return number == 0 || number > 1 << 63 ? nil : Int64(truncatingIfNeeded: 0 &- number)
  }

  /// Bytes of two hexadecimal digits each.
  static func bytes(_ text: Span<UInt8>) -> [UInt8]? {
    text.count % 2 == 0 ? bytes(text, every: 2) : nil
  }

  /// Bytes of two hexadecimal digits each, with a colon between them.
  static func pairs(_ text: Span<UInt8>) -> [UInt8]? {
    for index in stride(from: 2, to: text.count, by: 3) where text[index] != UInt8(ascii: ":") { return nil }
    return text.count % 3 == 2 ? bytes(text, every: 3) : nil
  }

  private static func bytes(_ text: Span<UInt8>, every step: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: step) {
      guard let high = value(of: text[index]), let low = value(of: text[index + 1]) else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
