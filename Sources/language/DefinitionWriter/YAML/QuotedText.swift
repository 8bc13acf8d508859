/// Text in double quotes, as in YAML (1.1, 5.6): any text, on one line, that YAML reads back unchanged.
enum QuotedText {
  static func write(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if isPlain(scalar) { quoted.unicodeScalars.append(scalar) } else { quoted += escaped(scalar) }
      }
    }
    return quoted + "\""
  }

  /// Whether it is written unchanged. Scalars that YAML does not allow in a file (5.1) or treats as the end of a line
  /// are escaped.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  /// `\x07`, `\u2028`, `\U000F0000`
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let (letter, digits) =
      switch scalar.value {
      case ..<0x100: ("x", 2)
      case ..<0x10000: ("u", 4)
      default: ("U", 8)
      }
    let number = String(scalar.value, radix: 16, uppercase: true)
    return "\\\(letter)" + String(repeating: "0", count: digits - number.count) + number
  }
}
