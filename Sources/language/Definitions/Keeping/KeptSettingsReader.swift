import DeviceModel

/// Reads a file of kept settings, and reports all mistakes in it.
struct KeptSettingsReader {
  let log = DiagnosticLog()
  private let source: SourceText
  private let definition: PeripheralDefinition

  init(_ source: SourceText, _ definition: PeripheralDefinition) {
    self.source = source
    self.definition = definition
  }

  func read() -> KeptSettings.Contents {
    guard !source.text.isEmpty else { return KeptSettings.Contents() }
    let root: YAMLNode
    do { root = try YAMLParser.parse(source) } catch {
      log.error(error.message, at: error.range)  // its hint is about definitions
      return KeptSettings.Contents()
    }
    guard case .mapping = root.content else {
      log.error(.noKeptSettings(found: root.kindName), at: root.startRange)
      return KeptSettings.Contents()
    }
    checkKeys(of: root)
    guard isOfDefinition(root) else { return KeptSettings.Contents() }
    return KeptSettings.Contents(
      values: settings(in: root["settings"]), bonds: KeptBondReader(log: log).read(root["bonds"]))
  }

  private func checkKeys(of root: YAMLNode) {
    let known = ["definition", "settings", "bonds"]
    var seen: Set<String> = []
    for entry in root.entries {
      let name = entry.key.text ?? entry.key.kindName
      guard known.contains(name) else {
        log.error(.unknownKeptKey(name, known: known), at: entry.key.range)
        continue
      }
      if !seen.insert(name).inserted { log.error(.second(name), at: entry.key.range) }
    }
  }

  /// Settings of another device may have the same names with other meanings.
  private func isOfDefinition(_ root: YAMLNode) -> Bool {
    guard let name = root["definition"] else {
      log.error(.noDefinition, at: root.startRange)
      return false
    }
    if name.text == definition.name { return true }
    log.error(.otherDefinition(found: name.kindName, expected: definition.name), at: name.range)
    return false
  }

  private func settings(in node: YAMLNode?) -> [Int: Value] {
    guard let node, node.text?.isEmpty != true else { return [:] }
    guard case .mapping(let entries) = node.content else {
      log.error(.noSettings(found: node.kindName), at: node.startRange)
      return [:]
    }
    var values: [Int: Value] = [:]
    for entry in entries {
      guard let index = index(of: entry.key), let value = value(of: entry.value, for: index) else { continue }
      if values.updateValue(value, forKey: index) != nil {
        log.error(.second(definition.settings[index].name), at: entry.key.range)
      }
    }
    return values
  }

  private func index(of key: YAMLNode) -> Int? {
    let names = definition.settings.map(\.name)
    if let index = names.firstIndex(where: { $0 == key.text }) { return index }
    log.error(.unknownKeptSetting(key.text ?? "", known: names), at: key.range)
    return nil
  }

  private func value(of node: YAMLNode, for index: Int) -> Value? {
    guard let text = node.text else {
      log.error(.noKeptValue(found: node.kindName), at: node.startRange)
      return nil
    }
    do { return try definition.settings[index].kind.parse(text) } catch {
      log.error(.badKeptValue(error), at: node.range)
      return nil
    }
  }
}
