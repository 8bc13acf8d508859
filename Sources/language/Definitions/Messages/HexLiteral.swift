import Framing

/// The hex digits of a template or value: pairs, with or without spaces.
enum HexLiteral {
  static func parse(_ text: String, start: Int) throws(TextError) -> [UInt8] {
    do {
      return try HexText.parse(text)
    } catch {
      let at = start + error.offset
      throw TextError(.badHex(error, habit: HexHabit(error, in: text)), at..<at + 1)
    }
  }

  /// One byte, with one digit or two.
  static func byte(_ text: String) -> UInt8? {
    text.allSatisfy(\.isHexDigit) ? UInt8(text, radix: 16) : nil
  }
}

/// Notations of bytes and holes in other languages.
enum HexHabit {
  /// `0xA5`, `\\xA5`
  case prefixed
  /// `A5,06`, `A5:06`
  case separated
  /// `(month)`, `<month>`, `$month`, `%d`
  case otherHole
  /// Letters that are not digits.
  case letters
  /// `\\r`
  case lineEnd
  /// A decimal number of up to three digits.
  case decimal(Int)
  /// One digit.
  case oneDigit(Character)
  /// More, and an odd number of them.
  case oddDigits

  /// nil: none of these.
  init?(_ error: HexText.ParseError, in text: String) {
    let before = text.prefix(error.offset)
    switch error.reason {
    case .notADigit("x") where before.hasSuffix("0"): self = .prefixed
    case .notADigit("X") where before.hasSuffix("0"): self = .prefixed
    case .notADigit("\\"): self = text.dropFirst(error.offset + 1).hasPrefix("x") ? .prefixed : .lineEnd
    case .notADigit(","), .notADigit(":"), .notADigit("-"), .notADigit(";"), .notADigit("_"), .notADigit("."):
      self = .separated
    case .notADigit("("), .notADigit("<"), .notADigit("$"), .notADigit("%"), .notADigit("["):
      self = .otherHole
    case .notADigit(let character):
      let letters = text.count { $0.isLetter && !$0.isHexDigit }
      guard letters * 8 >= text.count || character == "+" else { return nil }
      self = .letters
    case .lonelyDigit:
      let digits = text.trimmed
      if digits.count == 3, let number = Int(digits), number <= 255 {
        self = .decimal(number)
      } else {
        let digit = text[text.index(text.startIndex, offsetBy: error.offset)]
        self = before.last?.isHexDigit == true ? .oddDigits : .oneDigit(digit)
      }
    }
  }

  var hint: String {
    switch self {
    case .prefixed: "bytes have no prefix: A5 06 83"
    case .lineEnd: "in hex, a carriage return is 0D and a line feed is 0A"
    case .separated: "only spaces separate bytes: A5 06 83"
    case .otherHole: "a field is written in braces: {month: u8}"
    case .letters: "bytes are written in hex; text has the key 'text', as in { text: \"…\" }"
    case .decimal(let number):
      "the number \(number) is \(HexText.format([UInt8(number)])) in hex"
    case .oneDigit(let digit): "write 0\(digit)"
    case .oddDigits: "there is one digit too few or too many"
    }
  }
}

/// The names that definitions give to their parts.
package enum Identifier {
  static let rule =
    "a name has letters (A to Z) and digits, with single hyphens between them, and begins with a letter"
  /// Its pattern in a JSON Schema.
  static let pattern = "^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$"

  package static func isValid(_ text: String) -> Bool {
    var canEnd = false
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): canEnd = true
      case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: canEnd = true
      case UInt8(ascii: "-") where canEnd: canEnd = false
      default: return false
      }
    }
    return canEnd
  }

  /// A name similar to a text that is not a name: `day-total` for `day_total`.
  static func correction(of text: String) -> String? {
    let name = text.split { $0 == "_" || $0 == "-" || $0 == " " || $0 == "." }.joined(separator: "-")
    return name != text && isValid(name) ? name : nil
  }
}

extension StringProtocol {
  /// Without the spaces at both ends.
  var trimmed: String {
    func isBlank(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\n" || character == "\r"
    }
    func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
      scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
    // Finding where characters end takes long.
    if let first = unicodeScalars.first, !isBlank(first), !isBlank(unicodeScalars.last) {
      return String(self)
    }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) })
    else {
      return ""
    }
    return String(self[first...last])
  }
}
