/// Fletcher's checksum: a sum of the data, and in the upper half a sum of those sums (J. Fletcher, "An
/// Arithmetic Checksum for Serial Transmissions", 1982).
package enum Fletcher: Hashable, Sendable {
  /// Sums of bytes, modulo 255.
  case fletcher16
  /// Sums of 16-bit words, least significant byte first, modulo 65535; an odd last byte is a word of its own.
  case fletcher32
  /// Fletcher of bytes modulo 65521, started at 1 (RFC 1950, 8.2).
  case adler32

  /// In bytes.
  package var width: Int { self == .fletcher16 ? 2 : 4 }

  func value(of bytes: Span<UInt8>) -> UInt32 { value(of: bytes, after: self == .adler32 ? 1 : 0) }

  func value(of bytes: Span<UInt8>, after earlier: UInt32) -> UInt32 {
    switch self {
    case .fletcher16:
      sums(of: bytes, wordSize: 1, modulus: 255, after: Sums(earlier, shift: 8)).value(shift: 8)
    case .fletcher32:
      sums(of: bytes, wordSize: 2, modulus: 65535, after: Sums(earlier, shift: 16)).value(shift: 16)
    case .adler32:
      sums(of: bytes, wordSize: 1, modulus: 65521, after: Sums(earlier, shift: 16)).value(shift: 16)
    }
  }

  private func sums(of bytes: Span<UInt8>, wordSize: Int, modulus: UInt32, after earlier: Sums) -> Sums {
    var sums = earlier
    var index = 0
    while index < bytes.count {
      var word = UInt32(bytes[index])
      if wordSize == 2, index + 1 < bytes.count { word |= UInt32(bytes[index + 1]) << 8 }
      sums.simple = (sums.simple + word) % modulus
      sums.cumulative = (sums.cumulative + sums.simple) % modulus
      index += wordSize
    }
    return sums
  }

  private struct Sums {
    var simple: UInt32
    var cumulative: UInt32

    init(_ value: UInt32, shift: UInt32) {
      simple = value & (1 << shift - 1)
      cumulative = value >> shift
    }

    func value(shift: UInt32) -> UInt32 { cumulative << shift | simple }
  }
}
