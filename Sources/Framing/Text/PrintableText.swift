/// Bytes as text on one line: what a person can read stays, the rest is escaped.
package enum PrintableText {
  /// `Hello\r\n`; a byte that is no printable ASCII becomes `\xNN`, a backslash `\\`.
  package static func escape(_ bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 4) { text in
      var count = 0
      for byte in bytes { count += write(byte, to: UnsafeMutableBufferPointer(rebasing: text[count...])) }
      return count
    }
  }

  /// Writes one byte as up to four characters, and tells how many.
  private static func write(_ byte: UInt8, to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "\\") {
      text[0] = byte
      return 1
    }
    text[0] = UInt8(ascii: "\\")
    if let letter = letter(byte) {
      text[1] = letter
      return 2
    }
    text[1] = UInt8(ascii: "x")
    text[2] = HexText.digit(byte >> 4)
    text[3] = HexText.digit(byte & 0x0F)
    return 4
  }

  private static func letter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    case UInt8(ascii: "\\"): byte
    default: nil
    }
  }
}
