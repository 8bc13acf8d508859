/// Strings as JSON has them (RFC 8259, 7).
package enum JSONText {
  /// Appends text with its quotes; `text` is UTF-8.
  package static func append(quoted text: Span<UInt8>, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    for index in text.indices { append(escaped: text[index], to: &line) }
    line.append(UInt8(ascii: "\""))
  }

  private static func append(escaped byte: UInt8, to line: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(backslashed: byte, to: &line)
    case UInt8(ascii: "\n"): append(backslashed: UInt8(ascii: "n"), to: &line)
    case UInt8(ascii: "\r"): append(backslashed: UInt8(ascii: "r"), to: &line)
    case UInt8(ascii: "\t"): append(backslashed: UInt8(ascii: "t"), to: &line)
    case 0..<0x20:
      append(backslashed: UInt8(ascii: "u"), to: &line)
      for shift in [12, 8, 4, 0] { line.append(digits[Int(byte) >> shift & 0x0F]) }
    default: line.append(byte)
    }
  }

  private static func append(backslashed byte: UInt8, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\\"))
    line.append(byte)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
