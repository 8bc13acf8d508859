/// The order of a number's bytes on the air.
package enum ByteOrder: String, CaseIterable, Sendable {
  case bigEndian = "be"
  case littleEndian = "le"
}

extension ByteOrder {
  /// The low `width` bytes of a number, in this order.
  package func bytes(of number: UInt64, width: Int) -> [UInt8] {
    (0..<width).map { index in
      let place = self == .littleEndian ? index : width - 1 - index
      return UInt8(truncatingIfNeeded: number >> (UInt64(place) * 8))
    }
  }

  /// The number in at most four bytes.
  func number(in bytes: Span<UInt8>) -> UInt32 {
    var number: UInt32 = 0
    for index in bytes.indices {
      let place = self == .littleEndian ? index : bytes.count - 1 - index
      number |= UInt32(bytes[index]) << (UInt32(place) * 8)
    }
    return number
  }
}

extension FixedWidthInteger {
  /// The bytes of this number, the least significant first.
  @inlinable
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
