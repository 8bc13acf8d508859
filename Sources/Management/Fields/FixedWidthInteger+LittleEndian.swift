extension FixedWidthInteger {
  /// The bytes of this number, the least significant first, as in every message.
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
