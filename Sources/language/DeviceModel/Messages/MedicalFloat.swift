/// The decimal floating-point numbers of medical devices: `sfloat` and `float` (IEEE 11073-20601; GATT Specification
/// Supplement 2.2).
///
/// A number is a mantissa times a power of ten, both in two's complement; the exponent has the most significant bits.
/// It reads only the representation that it writes.
package struct MedicalFloat: Hashable, Sendable {
  /// In bits.
  private let mantissaWidth: Int
  private let exponentWidth: Int
  /// The exponent of all numbers; nil: of each number the one nearest to 0 that loses nothing.
  private let exponent: Int?

  /// 12 bits of mantissa and 4 of exponent.
  package static let short = MedicalFloat(mantissaWidth: 12, exponentWidth: 4, exponent: nil)
  /// 24 bits of mantissa and 8 of exponent.
  package static let long = MedicalFloat(mantissaWidth: 24, exponentWidth: 8, exponent: nil)

  private init(mantissaWidth: Int, exponentWidth: Int, exponent: Int?) {
    (self.mantissaWidth, self.exponentWidth, self.exponent) = (mantissaWidth, exponentWidth, exponent)
  }

  /// The same with one exponent for all numbers; nil if it has no such exponent.
  package func with(exponent: Int) -> MedicalFloat? {
    guard exponents.contains(exponent) else { return nil }
    return MedicalFloat(mantissaWidth: mantissaWidth, exponentWidth: exponentWidth, exponent: exponent)
  }

  /// In bytes.
  package var width: Int { (mantissaWidth + exponentWidth) / 8 }

  package var exponents: ClosedRange<Int> { -(1 << (exponentWidth - 1))...(1 << (exponentWidth - 1)) - 1 }

  /// The mantissas of numbers; those beyond are special values.
  package var mantissas: ClosedRange<Int64> {
    let most = Int64(1) << (mantissaWidth - 1) - 3
    return -most...most
  }

  /// The numbers that fit.
  package var bounds: ClosedRange<Double> {
    let most = DecimalDigits.number(mantissas.upperBound, exponent: exponent ?? exponents.upperBound)
    return -most...most
  }
}

// MARK: Writing

extension MedicalFloat {
  /// The bits of a number; digits beyond the mantissa are rounded.
  func bits(of number: Double) throws(EncodingError) -> UInt64 {
    if let special = specials.first(where: { Self.isSame($0.number, number) }) {
      return packed(special.mantissa, 0)
    }
    guard let (mantissa, exponent) = parts(of: DecimalDigits(number)) else {
      throw .outOfBounds(number, bounds)
    }
    return packed(number < 0 ? -mantissa : mantissa, exponent)
  }

  private func packed(_ mantissa: Int64, _ exponent: Int) -> UInt64 {
    let bits = UInt64(bitPattern: mantissa) & (1 << mantissaWidth - 1)
    return bits | (UInt64(truncatingIfNeeded: exponent) & (1 << exponentWidth - 1)) << mantissaWidth
  }

  private func parts(of digits: DecimalDigits) -> (mantissa: Int64, exponent: Int)? {
    if let exponent { return mantissa(of: digits, exponent).map { ($0, exponent) } }
    var exponent = min(max(digits.exponent, exponents.lowerBound), exponents.upperBound)
    while exponent < exponents.upperBound, mantissa(of: digits, exponent) == nil { exponent += 1 }
    guard var mantissa = mantissa(of: digits, exponent) else { return nil }
    while exponent > 0, mantissas.contains(mantissa * 10) {
      (mantissa, exponent) = (mantissa * 10, exponent - 1)
    }
    while exponent < 0, mantissa % 10 == 0 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    return (mantissa, exponent)
  }

  private func mantissa(of digits: DecimalDigits, _ exponent: Int) -> Int64? {
    digits.rounded(to: exponent).flatMap { mantissas.contains($0) ? $0 : nil }
  }
}

// MARK: Reading

extension MedicalFloat {
  /// The number of some bits; nil for the reserved value, and for a representation that it does not write.
  func number(of bits: UInt64) -> Double? {
    let mantissa = Self.signed(bits, mantissaWidth)
    let exponent = Int(Self.signed(bits >> mantissaWidth, exponentWidth))
    if exponent == 0, let special = specials.first(where: { $0.mantissa == mantissa }) {
      return special.number
    }
    guard mantissas.contains(mantissa) else { return nil }
    let number = DecimalDigits.number(mantissa, exponent: exponent)
    return (try? self.bits(of: number)) == bits ? number : nil
  }

  private static func signed(_ bits: UInt64, _ width: Int) -> Int64 {
    Int64(bitPattern: bits << (64 - width)) >> (64 - width)
  }
}

// MARK: Special values

extension MedicalFloat {
  /// The values that are not numbers; all have the exponent 0.
  private var specials: [(number: Double, mantissa: Int64)] {
    let half = Int64(1) << (mantissaWidth - 1)
    return [(.nan, half - 1), (.notAtThisResolution, -half), (.infinity, half - 2), (-.infinity, 2 - half)]
  }

  private static func isSame(_ special: Double, _ number: Double) -> Bool {
    special.isNaN
      ? number.isNaN && special.isNotAtThisResolution == number.isNotAtThisResolution : special == number
  }
}

extension Double {
  /// NRes, "not at this resolution", of the medical types.
  package static let notAtThisResolution = Double(nan: 1, signaling: false)

  package var isNotAtThisResolution: Bool { isNaN && bitPattern << 13 == 1 << 13 }
}
