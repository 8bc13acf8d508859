/// Adds all bytes. The sum may be negated or inverted, so that the receiver's sum over data and check is constant.
package struct Sum: Hashable, Sendable {
  package enum Complement: Hashable, Sendable {
    case none
    /// 0 − sum (two's complement): data and check add up to 0.
    case negative
    /// The sum with all bits inverted (one's complement): data and check add up to all ones.
    case inverted
  }

  /// In bytes: 1 or 2.
  package let width: Int
  package let complement: Complement

  package init(width: Int, complement: Complement = .none) {
    precondition((1...2).contains(width), "a sum is one or two bytes wide")
    self.width = width
    self.complement = complement
  }

  func value(of bytes: Span<UInt8>) -> UInt32 { value(of: bytes, added: 0) }

  /// A complement is its own inverse.
  func value(of bytes: Span<UInt8>, after earlier: UInt32) -> UInt32 {
    value(of: bytes, added: complemented(earlier))
  }

  private func value(of bytes: Span<UInt8>, added: UInt32) -> UInt32 {
    var sum = added
    for index in bytes.indices { sum &+= UInt32(bytes[index]) }
    let mask: UInt32 = width == 1 ? 0xFF : 0xFFFF
    return complemented(sum) & mask
  }

  private func complemented(_ sum: UInt32) -> UInt32 {
    switch complement {
    case .none: sum
    case .negative: 0 &- sum
    case .inverted: ~sum
    }
  }
}
