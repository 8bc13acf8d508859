/// Numbers of seven bits a byte, least significant first; the top bit of a byte says that another follows (Protocol Buffers).
enum Varint {
  /// The most bytes of 64 bits.
  static let mostBytes = 10

  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// How many bytes a number takes.
  static func size(of number: UInt64) -> Int { max(1, (64 - number.leadingZeroBitCount + 6) / 7) }

  /// The number that begins at an index, and how many bytes it takes; nil if it does not end, or has more than 64 bits.
  ///
  /// A number may have more bytes than it needs, as every reader of Protocol Buffers accepts.
  static func read(_ bytes: Span<UInt8>, at start: Int) -> (number: UInt64, size: Int)? {
    var number: UInt64 = 0
    for size in 0..<mostBytes {
      guard start + size < bytes.count else { return nil }
      let byte = bytes[start + size]
      if size == mostBytes - 1, byte > 1 { return nil }
      number |= UInt64(byte & 0x7F) << UInt64(7 * size)
      if byte < 0x80 { return (number, size + 1) }
    }
    return nil
  }

  /// Zigzag: 0, -1, 1, -2 … are 0, 1, 2, 3 …
  static func folded(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }
  static func unfolded(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}
