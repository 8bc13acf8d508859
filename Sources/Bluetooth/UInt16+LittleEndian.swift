extension UInt16 {
  /// Both bytes, the less significant first, as ATT and advertising data carry a number.
  var littleEndianBytes: [UInt8] {
    [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)]
  }

  /// Puts together what ``littleEndianBytes`` has taken apart.
  init(_ low: UInt8, _ high: UInt8) {
    self = UInt16(high) << 8 | UInt16(low)
  }
}
