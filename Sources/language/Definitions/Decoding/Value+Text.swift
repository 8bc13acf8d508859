import DeviceModel
import Framing

extension Value {
  /// The value of a text in a file or after `--set`.
  init(_ text: String, as type: ValueType) throws(SettingError) {
    guard let value = Value(reading: text, as: type) else { throw SettingError(Self.mistake(in: text, type)) }
    self = value
  }

  /// Why a text is not a value of this type.
  private static func mistake(in text: String, _ type: ValueType) -> Mistake {
    switch type {
    case .group, .text: return .rows
    case .integer: return .notWholeNumber(text)
    case .decimal: return .notNumber(text)
    case .boolean: return .notBoolean(text)
    case .bytes:
      do { _ = try HexText.parse(text) } catch { return .notHexBytes(error) }
      return .rows
    }
  }
}

extension SettingDefinition.Kind {
  /// The value of a text in a file or after `--set`.
  package func parse(_ text: String) throws(SettingError) -> Value {
    let value = try Value(text, as: valueType)
    if let problem = problem(with: value) { throw SettingError(message: problem) }
    return value
  }
}

/// Why a setting cannot have a value.
package struct SettingError: Error, Hashable, Sendable {
  package var message: String
  package var hint: String?
}

/// `true` and `false` as people write them elsewhere.
enum BooleanText {
  /// `true` for `yes`; nil for any other word.
  static func correction(of text: String) -> String? {
    switch text.lowercased() {
    case "yes", "on", "true": "true"
    case "no", "off", "false": "false"
    default: nil
    }
  }
}

extension SettingError {
  fileprivate init(_ mistake: Mistake) { (message, hint) = (mistake.message, mistake.hint) }
}

/// Whole numbers as people write them in definitions: `23`, `-6`, `0x17`.
package enum IntegerText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^([+-]?[0-9]+|0x[0-9A-Fa-f]+)$"

  /// The number; nil for any other text.
  package static func parse(_ text: String) -> Int? { NumberText.integer(text) }
}

/// Numbers that may have a fraction as people write them in definitions: `36.6`, `-0.5`, `20`, `0x17`.
package enum DecimalText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^([+-]?[0-9]+(\\.[0-9]+)?|0x[0-9A-Fa-f]+)$"

  /// An exponent or an infinity gives nil.
  package static func parse(_ text: String) -> Double? { NumberText.decimal(text) }

  /// The fewest digits that ``parse(_:)`` reads as the same number, which is finite.
  package static func write(_ number: Double) -> String {
    let parts = number.description.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return number.description }
    let sign = number.sign == .minus ? "-" : ""
    var digits = parts[0].filter(\.isNumber)  // the point follows the first
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
    digits += String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    return sign + digits + ".0"
  }
}
