/// Bytes as text on one line: what a person can read stays, the rest is escaped.
package enum PrintableText {
  /// `Hello\r\n`; a byte that is no printable ASCII becomes `\xNN`, a backslash `\\`.
  package static func escape(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    for byte in bytes { text += escape(byte) }
    return text
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\r"): "\\r"
    case UInt8(ascii: "\n"): "\\n"
    case UInt8(ascii: "\t"): "\\t"
    case UInt8(ascii: "\\"): "\\\\"
    case 0x20...0x7E: String(Unicode.Scalar(byte))
    default: "\\x" + HexText.format(CollectionOfOne(byte))
    }
  }
}
