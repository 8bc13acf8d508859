/// Bytes as text on one line: what a person can read stays, the rest is escaped.
package enum PrintableText {
  /// `Hello\r\n`; a byte that is no printable ASCII becomes `\xNN`, a backslash `\\`.
  package static func escape(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { append(byte, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends one byte as ``escape(_:)`` writes it.
  package static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\r"): text += [backslash, UInt8(ascii: "r")]
    case UInt8(ascii: "\n"): text += [backslash, UInt8(ascii: "n")]
    case UInt8(ascii: "\t"): text += [backslash, UInt8(ascii: "t")]
    case backslash: text += [backslash, backslash]
    case 0x20...0x7E: text.append(byte)
    default:
      text.append(backslash)
      text.append(UInt8(ascii: "x"))
      text.append(HexText.digit(byte >> 4))
      text.append(HexText.digit(byte & 0x0F))
    }
  }

  private static let backslash = UInt8(ascii: "\\")
}
