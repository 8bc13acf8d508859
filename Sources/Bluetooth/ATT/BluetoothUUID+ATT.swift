extension BluetoothUUID {
  /// ATT carries a UUID in 2 bytes or in 16, a 32-bit one in the long form (Core Specification, Vol 3 Part F 3.2.1).
  package var attributeTypeBytes: [UInt8] {
    width == .bits16 ? littleEndianBytes : longLittleEndianBytes
  }

  /// Reads 2 or 16 bytes; any other count is no attribute type.
  package init?(attributeTypeBytes bytes: some Collection<UInt8>) {
    guard bytes.count != Width.bits32.rawValue else { return nil }
    self.init(littleEndianBytes: bytes)
  }

  /// All 16 bytes, however short the UUID could be.
  var longLittleEndianBytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
