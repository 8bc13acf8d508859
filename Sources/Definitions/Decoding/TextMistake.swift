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
    case .notWholeNumber(let text): ("expected a whole number, found '\(text)'", nil)
    case .notNumber(let text): ("expected a number, found '\(text)'", nil)
    case .notBoolean(let text): ("expected true or false, found '\(text)'", nil)
    case .notHexBytes(let error): ("expected hex bytes: \(error.description)", nil)
    case .rows: ("rows cannot be written as one text", nil)
    case .notUUID(let text):
      ("'\(text)' is not a UUID", "4 or 8 hex digits (FFE0), or 36 characters with hyphens")
    case .notDuration(let text):
      ("'\(text)' is not a duration", "a number with ms, s or min, as in 200ms")
    case .wrongType(let type, let expected):
      (
        "expected \(expected.phrase), found \(type.phrase)",
        expected == .integer && type == .decimal ? Self.rounding : nil
      )
    case .wrongDurationType(let type):
      (
        "expected a duration, found \(type.phrase)",
        type == .decimal ? Self.rounding : "as in 500ms, 1.5s or 2min"
      )
    case .noUnit(let number): ("a duration needs a unit", "write \(number)ms")
    case .badDuration(let milliseconds, let least):
      ("\(milliseconds) ms is not in \(least) ms to \(Rule.longestDuration / 86_400_000) days", nil)
    case .tooLongExpression:
      ("with all that its names stand for, the expression is too long", nil)
    }
  }

  private static let rounding = "round it: ceil(…), floor(…) or round(…)"
}
