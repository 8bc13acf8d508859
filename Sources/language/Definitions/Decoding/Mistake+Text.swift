import DeviceModel
import Framing

/// A text of the wrong kind for its place, which expects a value, a UUID, a duration or an expression of some type.
extension Mistake {
  static func notWholeNumber(_ text: String) -> Self {
    Self("expected a whole number, found '\(text)'", Self.hint(forInteger: text))
  }
  static func notNumber(_ text: String) -> Self { Self("expected a number, found '\(text)'") }
  static func notBoolean(_ text: String) -> Self {
    Self("expected true or false, found '\(text)'", BooleanText.correction(of: text).map { "write \($0)" })
  }
  static func notHexBytes(_ error: HexText.ParseError) -> Self {
    Self("expected hex bytes: \(error.description)")
  }
  static let rows = Self("rows cannot be written as text")
  static func notUUID(_ text: String, or other: String? = nil) -> Self {
    Self("'\(text)' is not a UUID", Self.hint(forUUID: text) + (other.map { ", or \($0)" } ?? ""))
  }
  static func notDuration(_ text: String, or word: String? = nil) -> Self {
    if DurationText.isTooLong(text) { return Self("'\(text)' is too long for a duration") }
    let hint = hint(forDuration: text)
    return Self(
      "'\(text)' is not a duration",
      word.map { Suggestion.nearest(to: text, in: [$0]) == nil ? "\(hint), or '\($0)'" : "write '\($0)'" }
        ?? hint)
  }
  static func mismatchedType(
    _ type: ValueType, expected: ValueType, for purpose: NameScope.Purpose? = nil
  ) -> Self {
    Self(
      "expected \(expected.phrase), found \(type.phrase)",
      Self.hint(from: type, for: purpose) ?? Self.hint(from: type, to: expected))
  }
  static func wrongDurationType(_ type: ValueType) -> Self {
    Self(
      "expected a duration, found \(type.phrase)",
      type == .decimal ? rounding : "as in 500ms, 1.5s or 2min")
  }
  static func noUnit(number: String) -> Self {
    Self("a duration needs a unit", "write \(number.contains(".") ? "" : "\(number)ms or ")\(number)s")
  }
  static func badDuration(milliseconds: Int64, least: Int64) -> Self {
    if milliseconds == 0, least == 1 {
      return Self("0ms leaves no time between repetitions", "at least 1ms; to run once, 'after: 0ms'")
    }
    let most = Rule.longestDuration / 86_400_000
    return Self("\(Duration.milliseconds(milliseconds).written) is not in \(least)ms to \(most) days")
  }
  static let expandedTooLong = Self("with its names expanded, the expression is too long")

  /// The hint for an expression over `frame` in place of one over `bytes`, or the reverse.
  private static func hint(from type: ValueType, for purpose: NameScope.Purpose?) -> String? {
    switch (type, purpose) {
    case (.integer, .frameCheck?):
      "a checksum at the end is over 'bytes', as in xor8(bytes); elsewhere, compare it: frame[2] == …"
    case (.boolean, .checksum?): "a condition is over the whole 'frame', in 'check': frame[1] == 5"
    default: nil
    }
  }

  private static func hint(from type: ValueType, to expected: ValueType) -> String? {
    switch (type, expected) {
    case (.decimal, .integer): rounding
    case (.integer, .boolean), (.decimal, .boolean): "compare it with a number, as in … > 0"
    case (.text, .integer): "number(…) converts text to a number"
    case (.bytes, .text): "text(…) reads bytes as text, hex(…) writes them in hex"
    case (_, .text): "text(…) converts it to text"
    default: nil
    }
  }

  private static func hint(forInteger text: String) -> String? {
    if text == Language.Setting.random {
      return "only bytes are drawn: type: bytes, with 'max' for their number"
    }
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
        ? "a UUID with hyphens has 36 characters; this one has \(text.count)"
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
      ? "it needs a unit: \(text)ms, \(text)s or \(text)min" : "a number with ms, s, min, h or d, as in 200ms"
  }

  /// The hint for an expression for a text without its own quotes, which shows those of YAML as well.
  static func quotation(of text: String) -> String {
    "text in an expression needs its own quotes: \"'\(text)'\""
  }

  private static let rounding = "round it: ceil(…), floor(…) or round(…)"
}
