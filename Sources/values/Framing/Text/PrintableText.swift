/// Bytes as text on one line: printable ASCII stays, the rest is escaped.
package enum PrintableText {
  /// The most characters for one byte.
  package static let longest = 4

  /// `Hello\r\n`; a byte that is not printable ASCII becomes `\xNN`, a backslash `\\`.
  package static func escape(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * longest) { text in
      var text = text.mutableSpan
      return write(bytes[...], to: &text, at: 0)
    }
  }

  /// Whether all bytes are text: printable ASCII, tabs and ends of lines.
  package static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }
  }

  /// A text as a word of a transcript: in quotes if it needs them.
  package static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"=#\\".utf8.contains($0) }
    guard text.isEmpty || !isPlain else { return text }
    return "\""
      + escape(Array(text.utf8)).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\\"") + "\""
  }

  /// Writes bytes like ``escape(_:)``, from `place` on; returns the place after them.
  package static func write(_ bytes: ArraySlice<UInt8>, to text: inout MutableSpan<UInt8>, at place: Int)
    -> Int
  {
    var place = place
    for byte in bytes {
      if 0x20...0x7E ~= byte, byte != backslash {
        text[place] = byte
        place += 1
      } else {
        place = write(escaped: byte, to: &text, at: place)
      }
    }
    return place
  }

  /// Writes a byte that needs an escape.
  package static func write(escaped byte: UInt8, to text: inout MutableSpan<UInt8>, at place: Int) -> Int {
    text[place] = backslash
    guard let letter = letter(for: byte) else {
      text[place + 1] = UInt8(ascii: "x")
      text[place + 2] = HexText.digit(byte >> 4)
      text[place + 3] = HexText.digit(byte & 0x0F)
      return place + 4
    }
    text[place + 1] = letter
    return place + 2
  }

  private static func letter(for byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    case backslash: backslash
    default: nil
    }
  }

  private static let backslash = UInt8(ascii: "\\")
}
