/// What is known of one byte: the bits in the mask are those of the value.
package struct BytePattern: Hashable, Sendable {
  package var mask: UInt8
  package var value: UInt8

  package static let any = BytePattern(mask: 0, value: 0)

  package static func exactly(_ byte: UInt8) -> BytePattern { BytePattern(mask: 0xFF, value: byte) }

  /// An ASCII letter in either case, which differ in one bit; another byte only as it is.
  static func ignoringCase(_ byte: UInt8) -> BytePattern {
    let capital = byte.uppercased
    let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(capital)
    return isLetter ? BytePattern(mask: 0xDF, value: capital) : .exactly(byte)
  }

  /// The bytes that fit.
  package var bytes: [UInt8] { (0...UInt8.max).filter { $0 & mask == value } }

  /// Whether all bytes that fit the other fit this one, too.
  func covers(_ other: BytePattern) -> Bool {
    mask & other.mask == mask && other.value & mask == value
  }
}

extension MessageTemplate {
  /// What is known of the bytes of every frame that ``parse(_:)`` accepts, as far as they stand at known indices.
  package var leadingBytes: [BytePattern] { outline.bytes }
}
