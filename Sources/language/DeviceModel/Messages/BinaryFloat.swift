/// Numbers in the binary formats of IEEE 754, of 4 or 8 bytes.
enum BinaryFloat {
  /// The bits of the nearest number that the format can hold.
  static func bits(of number: Double, width: Int) throws(EncodingError) -> UInt64 {
    if width == 8 { return number.bitPattern }
    if number.isNaN { return UInt64(narrowed(number.bitPattern)) }
    let float = Float(number)
    guard float.isFinite || number.isInfinite else {
      let most = Double(Float.greatestFiniteMagnitude)
      throw .outOfBounds(number, -most...most)
    }
    return UInt64(float.bitPattern)
  }

  /// The number of some bits. Of 4 bytes, the decimal number with the fewest digits that has these bits: 36.6, and
  /// not 36.599998474121094.
  static func number(of bits: UInt64, width: Int) -> Double {
    if width == 8 { return Double(bitPattern: bits) }
    let float = Float(bitPattern: UInt32(bits))
    if float.isNaN { return Double(bitPattern: widened(UInt32(bits))) }
    guard float.isFinite, let decimal = Double(float.description), Float(decimal) == float else {
      return Double(float)
    }
    return decimal
  }

  /// A conversion would change some of the values that are not numbers.
  private static func widened(_ bits: UInt32) -> UInt64 {
    UInt64(bits >> 31) << 63 | 0x7FF << 52 | UInt64(bits & 0x7F_FFFF) << 29
  }

  private static func narrowed(_ bits: UInt64) -> UInt32 {
    let fraction = UInt32(bits >> 29 & 0x7F_FFFF)
    return UInt32(bits >> 63) << 31 | 0xFF << 23 | (fraction == 0 ? 1 << 22 : fraction)
  }
}
