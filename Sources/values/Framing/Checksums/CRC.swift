/// A cyclic redundancy check with the parameters of the Rocksoft model (Ross Williams, "A Painless
/// Guide to CRC Error Detection Algorithms", 1993), which the RevEng catalogue uses.
///
/// Input and output are either both reflected or both not, as in every catalogued CRC but one.
package struct CRC: Sendable {
  /// In bits: 8, 16 or 32.
  package let width: Int
  package let polynomial: UInt32
  package let initial: UInt32
  package let isReflected: Bool
  package let finalXOR: UInt32

  /// The result of eight steps of the shift register for each value of its leading byte.
  private let table: [UInt32]

  package init(
    width: Int, polynomial: UInt32, initial: UInt32 = 0, reflected: Bool = false, finalXOR: UInt32 = 0
  ) {
    precondition([8, 16, 32].contains(width), "a CRC is one, two or four bytes wide")
    self.width = width
    self.polynomial = polynomial
    self.initial = initial
    self.isReflected = reflected
    self.finalXOR = finalXOR
    table = (0...255).map { byte in
      reflected
        ? Self.reflectedEntry(byte, polynomial: polynomial.reflected(width: width))
        : Self.entry(byte, polynomial: polynomial, width: width)
    }
  }
}

extension CRC {
  func value(of bytes: Span<UInt8>) -> UInt32 {
    value(of: bytes, register: isReflected ? initial.reflected(width: width) : initial)
  }

  func value(of bytes: Span<UInt8>, after earlier: UInt32) -> UInt32 {
    value(of: bytes, register: (earlier ^ finalXOR) & mask)
  }

  private func value(of bytes: Span<UInt8>, register: UInt32) -> UInt32 {
    let register = isReflected ? reflected(register, after: bytes) : self.register(register, after: bytes)
    return (register ^ finalXOR) & mask
  }

  private var mask: UInt32 { .max >> (32 - UInt32(width)) }

  private func register(_ register: UInt32, after bytes: Span<UInt8>) -> UInt32 {
    let top = UInt32(width - 8)
    var register = register
    for index in bytes.indices {
      let leading = UInt8(truncatingIfNeeded: register >> top) ^ bytes[index]
      register = (width == 8 ? 0 : register << 8) ^ table[Int(leading)]
    }
    return register
  }

  private func reflected(_ register: UInt32, after bytes: Span<UInt8>) -> UInt32 {
    var register = register
    for index in bytes.indices {
      let leading = UInt8(truncatingIfNeeded: register) ^ bytes[index]
      register = register >> 8 ^ table[Int(leading)]
    }
    return register
  }
}

extension CRC {
  private static func entry(_ byte: UInt32, polynomial: UInt32, width: Int) -> UInt32 {
    let highBit: UInt32 = 1 << UInt32(width - 1)
    var register = byte << UInt32(width - 8)
    for _ in 0..<8 {
      register = register & highBit != 0 ? register << 1 ^ polynomial : register << 1
    }
    return register & (.max >> (32 - UInt32(width)))
  }

  private static func reflectedEntry(_ byte: UInt32, polynomial: UInt32) -> UInt32 {
    var register = byte
    for _ in 0..<8 {
      register = register & 1 != 0 ? register >> 1 ^ polynomial : register >> 1
    }
    return register
  }
}

extension CRC: Hashable {
  /// Ignores the table, which the parameters determine.
  package static func == (left: CRC, right: CRC) -> Bool {
    left.parameters == right.parameters && left.isReflected == right.isReflected
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parameters)
    hasher.combine(isReflected)
  }

  private var parameters: [UInt32] { [UInt32(width), polynomial, initial, finalXOR] }
}

extension UInt32 {
  /// The low `width` bits in reverse order.
  fileprivate func reflected(width: Int) -> UInt32 {
    var source = self
    var result: UInt32 = 0
    for _ in 0..<width {
      result = result << 1 | source & 1
      source >>= 1
    }
    return result
  }
}
