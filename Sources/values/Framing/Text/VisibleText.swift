/// Makes foreign text safe for one line of a terminal or a page: that of a definition, of a recording, of a central.
package enum VisibleText {
  /// Replaces control characters by escapes such as `\n` and `\x1B`. What it returns has none.
  package static func escape(_ text: String) -> String {
    guard hasControls(text) else { return text }
    return text.unicodeScalars.map { isControl($0) ? escape($0) : String($0) }.joined()
  }

  /// Replaces control characters by escapes that JSON reads as well, such as `\u001B`, except in what the program itself lays out
  /// text with: line feeds, tabs and the marks of ``TextStyle``.
  package static func lines(_ text: String) -> String {
    guard hasControls(text, except: [0x09, 0x0A]) else { return text }
    var (rest, lines) = (text.unicodeScalars[...], "")
    while let scalar = rest.first {
      if let mark = TextStyle.marks.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        lines += mark
        rest = rest.dropFirst(mark.unicodeScalars.count)
        continue
      }
      let stays = scalar == "\n" || scalar == "\t" || !isControl(scalar)
      lines += stays ? String(scalar) : "\\u" + hexadecimal(scalar, digits: 4)
      rest = rest.dropFirst()
    }
    return lines
  }

  /// Nearly every text is printable ASCII, and this sees it many times faster than scalar by scalar.
  private static func hasControls(_ text: String, except harmless: [UInt8] = []) -> Bool {
    !text.utf8.allSatisfy { 0x20...0x7E ~= $0 || harmless.contains($0) }
      && text.unicodeScalars.contains(where: isControl)
  }

  /// Whether a terminal would act on the character instead of showing it: also one that turns the direction of the text after it.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default: return number(of: scalar)
    }
  }

  /// `\x1B` or `\u{2028}`.
  package static func number(of scalar: Unicode.Scalar) -> String {
    scalar.value > 0xFF
      ? "\\u{\(hexadecimal(scalar, digits: 1))}" : "\\x" + hexadecimal(scalar, digits: 2)
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int) -> String {
    let text = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
