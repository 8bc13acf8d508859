import Framing

/// The hex digits of a template or value: pairs, with or without spaces.
enum HexLiteral {
  static func parse(_ text: String, start: Int) throws(TextError) -> [UInt8] {
    do {
      return try HexText.parse(text)
    } catch {
      let at = start + error.offset
      throw TextError(TemplateMistake.badHex(error), at..<at + 1)
    }
  }

  /// One byte, of one digit or two.
  static func byte(_ text: String) -> UInt8? {
    text.allSatisfy(\.isHexDigit) ? UInt8(text, radix: 16) : nil
  }
}

/// The names that definitions give to their parts.
enum Identifier {
  static let rule = "a name has letters, digits and hyphens, and begins with a letter"
  /// Its pattern in a JSON Schema.
  static let pattern = "^[A-Za-z][A-Za-z0-9]*(-[A-Za-z][A-Za-z0-9]*)*$"

  static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      part.first.map { $0.isASCII && $0.isLetter } == true
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }
}

extension StringProtocol {
  /// Without the spaces at both ends.
  var trimmed: String {
    func isBlank(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\n" || character == "\r"
    }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) })
    else {
      return ""
    }
    return String(self[first...last])
  }
}
