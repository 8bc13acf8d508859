/// A named value of a type with limits: a setting, which `--set NAME=VALUE` overrides, or a variable.
package struct SettingDefinition: Sendable {
  package var name: String
  package var kind: Kind
  package var initial: Value
  /// Whether each central has its own, from its connection to its disconnection; only for a variable.
  package var isPerCentral = false

  package init(name: String, kind: Kind, initial: Value) {
    (self.name, self.kind, self.initial) = (name, kind, initial)
  }

  /// The type and the limits of a value.
  package enum Kind: Hashable, Sendable {
    /// UTF-8, at most this many bytes.
    case text(max: Int)
    case integer(ClosedRange<Int64>)
    case decimal(ClosedRange<Double>)
    case boolean
    /// At most this many bytes.
    case bytes(max: Int)
    /// One of these values of one type; there is at least one.
    case oneOf([Value])
  }
}

extension SettingDefinition.Kind {
  /// The most bytes of a text or of bytes by default.
  package static let standardSize = 512

  package var valueType: ValueType {
    switch self {
    case .text: .text
    case .integer: .integer
    case .decimal: .decimal
    case .boolean: .boolean
    case .bytes: .bytes
    case .oneOf(let values): values[0].type
    }
  }

  /// Why a value of its type is not allowed; nil: it is.
  package func problem(with value: Value) -> String? {
    switch (self, value) {
    case (.text(let max), .text(let text)) where text.utf8.count > max:
      return "'\(text)' has \(text.utf8.count) bytes; at most \(max) are allowed"
    case (.bytes(let max), .bytes(let bytes)) where bytes.count > max:
      return "\(bytes.count) bytes; at most \(max) are allowed"
    case (.integer(let range), .integer(let number)) where !range.contains(number):
      return "\(number) is not in \(range.lowerBound)…\(range.upperBound)"
    case (.decimal(let range), .decimal(let number)) where !range.contains(number):
      return "\(number) is not in \(range.lowerBound)…\(range.upperBound)"
    case (.oneOf(let values), _) where !values.contains(value):
      let known = values.map(\.description).joined(separator: ", ")
      return "'\(value)' is not one of \(known)"
    default: return nil
    }
  }
}
