/// Bytes as text on one line: printable ASCII stays, the rest is escaped.
package enum PrintableText {
  /// `Hello\r\n`; a byte that is not printable ASCII becomes `\xNN`, a backslash `\\`.
  package static func escape(_ bytes: [UInt8]) -> String { table.text(of: bytes) }

  /// The text of each byte, as ``escape(_:)`` writes it.
  package static let table = ByteTable(text(of:))

  /// Whether all bytes are text: printable ASCII, tabs and ends of lines.
  package static func isText(_ bytes: [UInt8]) -> Bool {
    isPlain(bytes.span)
      || bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }
  }

  /// Whether all bytes are printable ASCII other than backslashes and quotes: their text is themselves, in JSON as well.
  ///
  /// It looks at eight bytes at once.
  package static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    let whole = bytes.count / 8 * 8
    for place in stride(from: 0, to: whole, by: 8) {
      guard isPlain(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)) else {
        return false
      }
    }
    var last = each(0x20)
    for index in whole..<bytes.count { last = last << 8 | UInt64(bytes[index]) }
    return isPlain(last)
  }

  /// Whether eight bytes are plain: the highest bit of each byte is 0 here, or 1 if one of the tests finds the byte or a lower one.
  private static func isPlain(_ word: UInt64) -> Bool {
    let isEscaped = hasZero(word ^ each(backslash)) | hasZero(word ^ each(UInt8(ascii: "\"")))
    return (word | (word &- each(0x20)) | (word &+ each(1)) | isEscaped) & each(0x80) == 0
  }

  private static func hasZero(_ word: UInt64) -> UInt64 { (word &- each(1)) & ~word }

  private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// A text as a word of a transcript: in quotes if it needs them.
  package static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"=#\\".utf8.contains($0) }
    guard text.isEmpty || !isPlain else { return text }
    return "\""
      + escape(Array(text.utf8)).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\\"") + "\""
  }

  package static func text(of byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "\r"): [backslash, UInt8(ascii: "r")]
    case UInt8(ascii: "\n"): [backslash, UInt8(ascii: "n")]
    case UInt8(ascii: "\t"): [backslash, UInt8(ascii: "t")]
    case backslash: [backslash, backslash]
    case 0x20...0x7E: [byte]
    default: [backslash, UInt8(ascii: "x"), HexText.digit(byte >> 4), HexText.digit(byte & 0x0F)]
    }
  }

  private static let backslash = UInt8(ascii: "\\")
}
