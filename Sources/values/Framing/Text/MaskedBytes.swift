/// Bytes of which some bits count, in the language's notation: `A5`, `9*`, or `80/C0`.
package struct MaskedBytes: Hashable, Sendable {
  package private(set) var bytes: [UInt8] = []
  /// Empty: all bits count.
  package private(set) var mask: [UInt8] = []

  package init(_ bytes: [UInt8], _ mask: [UInt8]) { (self.bytes, self.mask) = (bytes, mask) }

  /// Reads hex bytes in which `*` is a digit of any value, and `/` follows a byte with its mask; nil: there is neither, or another
  /// mistake.
  package init?(_ text: String) {
    guard text.contains("*") || text.contains("/") else { return nil }
    let digits = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
    var position = 0
    func next() -> (value: UInt8, mask: UInt8)? {
      guard position + 2 <= digits.count, let high = Self.digit(digits[position]),
        let low = Self.digit(digits[position + 1])
      else { return nil }
      position += 2
      return (high.value << 4 | low.value, high.mask << 4 | low.mask)
    }
    while position < digits.count {
      guard var (byte, mask) = next() else { return nil }
      if position < digits.count, digits[position] == UInt8(ascii: "/") {
        position += 1
        guard mask == 0xFF, let given = next(), given.mask == 0xFF else { return nil }
        mask = given.value
        byte &= mask
      }
      bytes.append(byte)
      self.mask.append(mask)
    }
  }

  private static func digit(_ character: UInt8) -> (value: UInt8, mask: UInt8)? {
    if character == UInt8(ascii: "*") { return (0, 0) }
    return Character(Unicode.Scalar(character)).hexDigitValue.map { (UInt8($0), 0xF) }
  }

  /// As ``init(_:)`` reads them.
  package var text: String {
    guard !mask.isEmpty else { return HexText.format(bytes) }
    return zip(bytes, mask).map { byte, mask in
      let digits = HexText.format([byte])
      switch mask {
      case 0xFF: return digits
      case 0xF0: return "\(digits.prefix(1))*"
      case 0x0F: return "*\(digits.suffix(1))"
      case 0x00: return "**"
      default: return "\(digits)/\(HexText.format([mask]))"
      }
    }.joined(separator: " ")
  }
}
