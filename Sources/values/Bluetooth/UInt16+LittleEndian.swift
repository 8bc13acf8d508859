extension UInt16 {
  /// Both bytes, the less significant first, as in ATT and advertising data.
  package var littleEndianBytes: [UInt8] {
    [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)]
  }

  /// Joins the bytes of ``littleEndianBytes``.
  @inlinable
  package init(_ low: UInt8, _ high: UInt8) {
    self = UInt16(high) << 8 | UInt16(low)
  }
}
