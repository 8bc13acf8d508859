/// Makes text of a definition or a central safe for one line of a terminal.
package enum VisibleText {
  /// Replaces control characters by escapes such as `\n` and `\x1B`.
  package static func escape(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.map { isControl($0) ? escape($0) : String($0) }.joined()
  }

  /// Whether a terminal would act on the character instead of showing it.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
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
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return scalar.value > 0xFF ? "\\u{\(digits)}" : "\\x" + (digits.count < 2 ? "0" : "") + digits
  }
}
