import Framing

extension DefinitionDecoder {
  func decodeSettings() {
    for entry in root["settings"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      guard let setting = setting(name, entry.value) else {
        scope.addBroken(name)
        continue
      }
      checkIsNew(name, at: entry.key)
      scope.addSetting(name, index: definition.settings.count, type: setting.kind.valueType)
      definition.settings.append(setting)
    }
  }

  func setting(_ name: String, _ node: YAMLNode) -> SettingDefinition? {
    guard let kind = kind(of: node), let initial = node["default"], let text = initial.text else {
      return nil
    }
    do {
      return SettingDefinition(name: name, kind: kind, initial: try kind.parse(text))
    } catch {
      log.error(error.message, at: initial.range)
      return SettingDefinition(name: name, kind: kind, initial: .zero(of: kind.valueType))
    }
  }

  private func kind(of node: YAMLNode) -> SettingDefinition.Kind? {
    let least = node["min"]?.text.flatMap(IntegerText.parse)
    let most = node["max"]?.text.flatMap(IntegerText.parse)
    let type = node["type"]?.text
    if type != "integer", let min = node["min"] {
      log.error("only an integer has a 'min'", at: min.range)
    }
    if type == "boolean", let max = node["max"] {
      log.error("true or false has no 'max'", at: max.range)
    }
    if let least, let most, least > most {
      log.error("'min' is greater than 'max'", at: node.startRange)
      return nil
    }
    return switch type {
    case "text": .text(max: most ?? 512)
    case "bytes": .bytes(max: most ?? 512)
    case "boolean": .boolean
    case "integer": .integer(Int64(least ?? .min)...Int64(most ?? .max))
    default: nil
    }
  }
}

/// Why a text is no value for a setting.
package struct SettingError: Error, Sendable {
  package var message: String
}

extension SettingDefinition.Kind {
  package var valueType: ValueType {
    switch self {
    case .text: .text
    case .integer: .integer
    case .boolean: .boolean
    case .bytes: .bytes
    }
  }

  /// Why a value of its type is none for it; nil when it is.
  package func problem(with value: Value) -> String? {
    switch (self, value) {
    case (.text(let max), .text(let text)) where text.utf8.count > max:
      "'\(text)' has \(text.utf8.count) bytes, at most \(max) are allowed"
    case (.integer(let range), .integer(let number)) where !range.contains(number):
      "\(number) is not in \(range.lowerBound)…\(range.upperBound)"
    case (.bytes(let max), .bytes(let bytes)) where bytes.count > max:
      "\(bytes.count) bytes, at most \(max) are allowed"
    default: nil
    }
  }

  /// The value that a text stands for, in a file or behind `--set`.
  package func parse(_ text: String) throws(SettingError) -> Value {
    switch self {
    case .text(let max):
      guard text.utf8.count <= max else {
        throw SettingError(message: "'\(text)' has \(text.utf8.count) bytes, at most \(max) are allowed")
      }
      return .text(text)
    case .integer(let range):
      guard let number = IntegerText.parse(text).map(Int64.init) else {
        throw SettingError(message: "expected a whole number, found '\(text)'")
      }
      guard range.contains(number) else {
        throw SettingError(message: "\(number) is not in \(range.lowerBound)…\(range.upperBound)")
      }
      return .integer(number)
    case .boolean:
      guard text == "true" || text == "false" else {
        throw SettingError(message: "expected true or false, found '\(text)'")
      }
      return .boolean(text == "true")
    case .bytes(let max): return .bytes(try Self.bytes(text, max))
    }
  }

  private static func bytes(_ text: String, _ max: Int) throws(SettingError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try HexText.parse(text) } catch {
      throw SettingError(message: "expected hex bytes: \(error.description)")
    }
    guard bytes.count <= max else {
      throw SettingError(message: "\(bytes.count) bytes, at most \(max) are allowed")
    }
    return bytes
  }
}
