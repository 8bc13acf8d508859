/// A number without its sign, as the fewest decimal digits times a power of ten: 36.6 is 366 and -1.
struct DecimalDigits {
  /// Without zeros at the end.
  private(set) var digits: Int64 = 0
  private(set) var exponent = 0

  /// - Parameter number: a finite number.
  init(_ number: Double) {
    let parts = number.magnitude.description.split(separator: "e")
    var fractionCount: Int?
    for byte in parts[0].utf8 {
      if byte == UInt8(ascii: ".") {
        fractionCount = 0
      } else {
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        fractionCount = fractionCount.map { $0 + 1 }
      }
    }
    guard digits > 0 else { return }
    exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (fractionCount ?? 0)
    while digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
  }

  /// The number in units of a power of ten, rounded to the nearest, away from zero from the middle; nil if it is too large.
  func rounded(to unit: Int) -> Int64? {
    if digits == 0 || unit - exponent > 18 { return 0 }
    guard unit > exponent else {
      guard exponent - unit <= 18 else { return nil }
      let (product, overflow) = digits.multipliedReportingOverflow(by: Self.power(exponent - unit))
      return overflow ? nil : product
    }
    let divisor = Self.power(unit - exponent)
    return digits / divisor + (digits % divisor >= divisor / 2 ? 1 : 0)
  }

  private static func power(_ exponent: Int) -> Int64 {
    repeatElement(10, count: exponent).reduce(1, *)
  }

  /// The nearest number.
  static func number(_ mantissa: Int64, exponent: Int) -> Double { Double("\(mantissa)e\(exponent)") ?? 0 }
}
