/// A named value of a type with limits: a setting, which `--set NAME=VALUE` overrides, or a variable.
package struct SettingDefinition: Sendable {
  package var name: String
  package var kind: Kind
  package var initial: Value
  /// Whether each central has its own, from its connection to its disconnection; only for a variable.
  package var isPerCentral = false
  /// Whether each run begins with other random bytes, as many as there may be; only for a setting. `initial` is an example.
  package var isDrawn = false

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

extension SettingDefinition {
  /// Random bytes for a setting that is drawn; nil: its kind has none.
  package static func drawn(_ kind: Kind, _ name: String, seed: UInt64) -> Value? {
    guard case .bytes(let count) = kind else { return nil }
    // FNV-1a: settings with different names have different bytes.
    let site = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return .bytes(RandomSource(seed: RandomSource(seed: seed).bits(at: site)).bytes(count))
  }
}

extension PeripheralDefinition {
  /// The same device, whose random settings begin with the values for this seed.
  package func drawingSettings(seed: UInt64) -> PeripheralDefinition {
    guard settings.contains(where: \.isDrawn) else { return self }
    var device = self
    for (index, setting) in settings.enumerated() where setting.isDrawn {
      device.settings[index].initial =
        SettingDefinition.drawn(setting.kind, setting.name, seed: seed) ?? setting.initial
    }
    return device
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
