/// The known bits of one byte: those in the mask equal those of the value.
package struct KnownBits: Hashable, Sendable {
  package var mask: UInt8
  package var value: UInt8

  package static let any = KnownBits(mask: 0, value: 0)

  package static func exactly(_ byte: UInt8) -> KnownBits { KnownBits(mask: 0xFF, value: byte) }

  /// An ASCII letter in either case, which differ in one bit; another byte only as it is.
  static func ignoringCase(_ byte: UInt8) -> KnownBits {
    let capital = byte.uppercased
    let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(capital)
    return isLetter ? KnownBits(mask: 0xDF, value: capital) : .exactly(byte)
  }

  /// The matching bytes.
  package var bytes: [UInt8] { (0...UInt8.max).filter { $0 & mask == value } }

  /// Whether all bytes that match the other also match this one.
  func covers(_ other: KnownBits) -> Bool {
    mask & other.mask == mask && other.value & mask == value
  }
}

extension MessageTemplate {
  /// The known bits of every frame that ``parse(_:)`` accepts, for the bytes at fixed indices.
  package var leadingBytes: [KnownBits] { outline.bytes }

  /// Whether the message has a fixed byte. One without matches any bytes.
  var hasLiteral: Bool { leadingBytes.contains { $0.mask == 0xFF } }
}

extension UInt8 {
  /// The upper-case form of an ASCII letter; any other byte unchanged.
  var uppercased: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self }
}
