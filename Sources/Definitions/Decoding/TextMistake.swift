import DeviceModel
import Framing

/// A text that is not what is expected in its place: a value, a UUID, a duration, an expression of some type.
enum TextMistake: Mistake {
  case notWholeNumber(String)
  case notNumber(String)
  case notBoolean(String)
  case notHexBytes(HexText.ParseError)
  /// Rows are expected, which no text stands for.
  case rows
  case notUUID(String)
  case notDuration(String)
  case wrongType(ValueType, expected: ValueType)
  /// An expression is expected to give a duration.
  case wrongDurationType(ValueType)
  /// A bare number is expected to be a duration.
  case noUnit(number: String)
  case badDuration(milliseconds: Int64, least: Int64)
  /// An expression is too long, with those in the place of its names.
  case tooLongExpression
}

extension TextMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notWholeNumber(let text): ("expected a whole number, found '\(text)'", Self.hint(forInteger: text))
    case .notNumber(let text): ("expected a number, found '\(text)'", nil)
    case .notBoolean(let text):
      ("expected true or false, found '\(text)'", BooleanText.correction(of: text).map { "write \($0)" })
    case .notHexBytes(let error): ("expected hex bytes: \(error.description)", nil)
    case .rows: ("rows cannot be written as one text", nil)
    case .notUUID(let text):
      ("'\(text)' is not a UUID", Self.hint(forUUID: text))
    case .notDuration(let text) where DurationText.isTooLong(text):
      ("'\(text)' is too long for a duration", nil)
    case .notDuration(let text):
      ("'\(text)' is not a duration", Self.hint(forDuration: text))
    case .wrongType(let type, let expected):
      (
        "expected \(expected.phrase), found \(type.phrase)",
        Self.hint(from: type, to: expected)
      )
    case .wrongDurationType(let type):
      (
        "expected a duration, found \(type.phrase)",
        type == .decimal ? Self.rounding : "as in 500ms, 1.5s or 2min"
      )
    case .noUnit(let number):
      ("a duration needs a unit", "write \(number.contains(".") ? "" : "\(number)ms or ")\(number)s")
    case .badDuration(0, least: 1):
      ("0ms: what repeats needs time in between", "at least 1ms, or 'after: 0ms' for once")
    case .badDuration(let milliseconds, let least):
      (
        "\(Duration.milliseconds(milliseconds).written) is not in \(least)ms to "
          + "\(Rule.longestDuration / 86_400_000) days", nil
      )
    case .tooLongExpression:
      ("with all that its names stand for, the expression is too long", nil)
    }
  }

  private static func hint(from type: ValueType, to expected: ValueType) -> String? {
    switch (type, expected) {
    case (.decimal, .integer): rounding
    case (.integer, .boolean), (.decimal, .boolean): "compare it with a number, as in … > 0"
    case (.text, .integer): "number(…) makes a number of text"
    case (.bytes, .text): "text(…) reads bytes as text, hex(…) writes them in hex"
    case (_, .text): "text(…) makes text of it"
    default: nil
    }
  }

  private static func hint(forInteger text: String) -> String? {
    if DecimalText.parse(text) != nil {
      return text.contains(".")
        ? "a number with a fraction has type: decimal" : "whole numbers go from \(Int.min) to \(Int.max)"
    }
    let isHex = !text.isEmpty && text.count <= 16 && text.allSatisfy(\.isHexDigit)
    return isHex ? "in hex, it is written 0x\(text)" : nil
  }

  private static func hint(forUUID text: String) -> String {
    let digits = text.filter { !"-{}".contains($0) }
    guard digits.count == 32, digits.allSatisfy(\.isHexDigit) else {
      return text.contains("-") && text.count != 36
        ? "36 characters with hyphens; these are \(text.count)"
        : "4 or 8 hex digits (FFE0), or 36 characters with hyphens"
    }
    var rest = digits.uppercased()[...]
    let parts = [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    return "write \(parts.joined(separator: "-"))"
  }

  private static func hint(forDuration text: String) -> String {
    if let duration = DurationText.correction(of: text) { return "write \(duration)" }
    let isNumber = DecimalText.parse(text) != nil
    return isNumber
      ? "it needs a unit: \(text)ms, \(text)s or \(text)min" : "a number with ms, s or min, as in 200ms"
  }

  /// The hint where an expression for a text lacks its quotes, with those that YAML takes away.
  static func quotation(of text: String) -> String { "text has quotes of its own: \"'\(text)'\"" }

  private static let rounding = "round it: ceil(…), floor(…) or round(…)"
}
