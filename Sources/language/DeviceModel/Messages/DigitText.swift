import Framing

/// Numbers as ASCII digits. It reads only the form that it writes: no leading zeros, no `-0`.
enum DigitText {
  /// At least this many digits, padded with zeros.
  static func format(_ number: UInt64, radix: UInt64, least: Int, isLower: Bool = false) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number
    while rest > 0 || digits.count < max(1, least) {
      let digit = HexText.digit(UInt8(rest % radix))
      digits.append(isLower && digit > UInt8(ascii: "9") ? digit | 0x20 : digit)
      rest /= radix
    }
    return digits.reversed()
  }

  /// The number of at least this many digits; nil if it is not one, has another form, or needs more than 64 bits.
  static func number(_ digits: ArraySlice<UInt8>, radix: UInt64, least: Int) -> UInt64? {
    guard !digits.isEmpty, digits.count <= max(1, least) || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    var number: UInt64 = 0
    for byte in digits {
      guard let digit = value(of: byte), digit < radix else { return nil }
      let (product, overflowed) = number.multipliedReportingOverflow(by: radix)
      let (sum, carried) = product.addingReportingOverflow(digit)
      if overflowed || carried { return nil }
      number = sum
    }
    return number
  }

  /// A decimal number with this many digits.
  static func decimal(_ text: ArraySlice<UInt8>, digits: ClosedRange<Int>, _ sign: DecimalSign) -> Int64? {
    let isNegative = sign != .none && text.first == UInt8(ascii: "-")
    let magnitude = isNegative ? text.dropFirst() : text
    guard digits.contains(sign == .counted ? text.count : magnitude.count) else { return nil }
    let least = digits.lowerBound - (sign == .counted && isNegative ? 1 : 0)
    guard let number = number(magnitude, radix: 10, least: least) else { return nil }
    guard isNegative else { return Int64(exactly: number) }
    return number == 0 || number > 1 << 63 ? nil : Int64(truncatingIfNeeded: 0 &- number)
  }

  /// Bytes of two hexadecimal digits each.
  static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
      guard let high = value(of: text[index]), let low = value(of: text[index + 1]) else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }

  /// Bytes of two hexadecimal digits each, with a colon between them.
  static func pairs(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.count == 2 }) else { return nil }
    return bytes(Array(parts.joined())[...])
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
