/// The CRC of the Link Layer (Core Specification, Vol 6 Part B 3.1.1): x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1, the least significant bit of
/// each byte first.
enum LinkLayerCRC {
  /// The initial value on advertising channels. A link has its own.
  static let advertising: UInt32 = 0x555555

  /// Whether the last three bytes are the CRC of those before them.
  /// - Parameter bytes: from the header on.
  static func isRight(in bytes: ArraySlice<UInt8>, initial: UInt32) -> Bool {
    guard bytes.count >= 3 else { return false }
    var register = reversed(initial)
    for byte in bytes.dropLast(3) {
      register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)]
    }
    return register == bytes.suffix(3).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The register's first bit is its highest one, which leaves last.
  private static func reversed(_ initial: UInt32) -> UInt32 {
    (0..<24).reduce(0) { $0 | (initial >> UInt32($1) & 1) << UInt32(23 - $1) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xDA6000 : value >> 1 }
  }
}
