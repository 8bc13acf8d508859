/// The order of a number's bytes on the air.
package enum ByteOrder: String, CaseIterable, Sendable {
  case bigEndian = "be"
  case littleEndian = "le"
}

extension ByteOrder {
  /// The low `width` bytes of a number, in this order.
  package func bytes(of number: UInt64, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    append(number, width: width, to: &bytes)
    return bytes
  }

  /// Appends the low `width` bytes of a number.
  package func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
    for index in 0..<width {
      let place = self == .littleEndian ? index : width - 1 - index
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place)))
    }
  }

  /// The number in at most eight bytes.
  package func number(in bytes: Span<UInt8>) -> UInt64 {
    var number: UInt64 = 0
    for index in bytes.indices {
      let place = self == .littleEndian ? bytes.count - 1 - index : index
      number = number << 8 | UInt64(bytes[place])
    }
    return number
  }
}

extension FixedWidthInteger {
  /// The bytes of this number, the least significant first.
  @inlinable
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
