/// Texts as scalars that every parser of YAML 1.1 or 1.2 reads as the same text.
enum YAMLScalar {
  /// The text, in quotes where they are needed.
  ///
  /// - Parameter isInFlow: whether it stands between braces or brackets.
  static func write(_ text: String, isInFlow: Bool) -> String {
    isPlain(text, isInFlow: isInFlow) ? text : quote(text)
  }

  /// In double quotes; in single quotes if the text has double ones and nothing that needs an escape.
  private static func quote(_ text: String) -> String {
    let needsNoEscape = text.unicodeScalars.allSatisfy { !needsEscape($0) } && text.contains("\"")
    return needsNoEscape && !text.contains("'") ? "'\(text)'" : QuotedText.write(text)
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    QuotedText.write(String(scalar)) != "\"\(scalar)\"" && scalar != "\"" && scalar != "\\"
  }

  private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, first != " ",
      last != " ",
      !isIndicator(first), !isResolved(text)
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII, scalar.value >= 0x20, scalar.value < 0x7F else { return isLetter(scalar) }
      return scalar != ":" && scalar != "#" && !(isInFlow && isFlowIndicator(scalar))
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic && scalar.value < 0x1_0000
  }

  /// The characters that may not begin a plain scalar (YAML 1.2.2, 5.3), or that mean something in some parser.
  private static func isIndicator(_ scalar: Unicode.Scalar) -> Bool {
    "-?:,[]{}#&*!|>'\"%@`=<~.\\".unicodeScalars.contains(scalar)
  }

  private static func isFlowIndicator(_ scalar: Unicode.Scalar) -> Bool {
    ",[]{}".unicodeScalars.contains(scalar)
  }

  /// Whether some parser reads it as a number, a date, true, false or null.
  private static func isResolved(_ text: String) -> Bool {
    if words.contains(text.lowercased()) { return true }
    guard let first = text.unicodeScalars.first, isDigit(first) || "+-.".unicodeScalars.contains(first) else {
      return false
    }
    return isNumber(text) || isDate(text)
  }

  private static let words: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity",
  ]

  /// Whether it has the characters of a number of YAML 1.1: `0010`, `1_000`, `0x1F`, `0o17`, `0b1`, `1E10`, `1:30`. It may
  /// be a text that is none: then quotes do no harm.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.unicodeScalars.drop { $0 == "+" || $0 == "-" }
    if ["0x", "0o", "0b"].contains(where: { digits.starts(with: $0.unicodeScalars) }) { return true }
    return digits.allSatisfy { isDigit($0) || "_.eE+-:".unicodeScalars.contains($0) }
  }

  /// `2026-11-26`, with or without a time.
  private static func isDate(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars.prefix(5))
    return scalars.count == 5 && scalars[..<4].allSatisfy(isDigit) && scalars[4] == "-"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
