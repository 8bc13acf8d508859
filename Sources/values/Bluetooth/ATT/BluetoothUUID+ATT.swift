extension BluetoothUUID {
  /// The UUID in 2 or 16 bytes; ATT carries a 32-bit UUID in 16 (Core Specification, Vol 3 Part F 3.2.1).
  package var attributeTypeBytes: [UInt8] {
    width == .bits16 ? littleEndianBytes : longLittleEndianBytes
  }

  /// Reads 2 or 16 bytes; nil for any other count.
  package init?(attributeTypeBytes bytes: some Collection<UInt8>) {
    guard bytes.count != Width.bits32.rawValue else { return nil }
    self.init(littleEndianBytes: bytes)
  }

  /// All 16 bytes, even for a short UUID.
  package var longLittleEndianBytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
