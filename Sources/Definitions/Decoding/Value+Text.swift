import DeviceModel
import Framing

extension Value {
  /// The value that a text in a file, or after `--set`, stands for.
  init(_ text: String, as type: ValueType) throws(SettingError) {
    switch type {
    case .group: throw SettingError(.rows)
    case .text: self = .text(text)
    case .integer:
      guard let number = IntegerText.parse(text) else {
        throw SettingError(.notWholeNumber(text))
      }
      self = .integer(Int64(number))
    case .decimal:
      guard let number = DecimalText.parse(text) else {
        throw SettingError(.notNumber(text))
      }
      self = .decimal(number)
    case .boolean:
      guard text == "true" || text == "false" else {
        throw SettingError(.notBoolean(text))
      }
      self = .boolean(text == "true")
    case .bytes:
      do { self = .bytes(try HexText.parse(text)) } catch {
        throw SettingError(.notHexBytes(error))
      }
    }
  }
}

extension SettingDefinition.Kind {
  /// The value that a text stands for, in a file or after `--set`.
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
  fileprivate init(_ mistake: TextMistake) { (message, hint) = mistake.sentences }
}

/// Whole numbers as people write them in definitions: `23`, `-6`, `0x17`.
package enum IntegerText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^([+-]?[0-9]+|0x[0-9A-Fa-f]+)$"

  /// The number; nil when the text is none.
  package static func parse(_ text: String) -> Int? {
    guard text.hasPrefix("0x") else { return Int(text) }
    let digits = text.dropFirst(2)
    return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
  }
}

/// Numbers that may have a fraction as people write them in definitions: `36.6`, `-0.5`, `20`, `0x17`.
package enum DecimalText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^([+-]?[0-9]+(\\.[0-9]+)?|0x[0-9A-Fa-f]+)$"

  /// No exponent, no infinity: nil.
  package static func parse(_ text: String) -> Double? {
    if text.hasPrefix("0x") { return IntegerText.parse(text).map(Double.init) }
    let sign = text.first == "-" || text.first == "+" ? 1 : 0
    let parts = text.dropFirst(sign).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The shortest digits that ``parse(_:)`` makes the same number of; the number is finite.
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
