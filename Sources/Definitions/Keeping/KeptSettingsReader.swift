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

  func read() -> [Int: Value] {
    guard !source.text.isEmpty else { return [:] }
    let root: YAMLNode
    do { root = try YAMLParser.parse(source) } catch {
      log.error(error.message, at: error.range)  // its hint is about definitions
      return [:]
    }
    guard case .mapping = root.content else {
      log.error("expected 'definition' and 'settings', found \(root.kindName)", at: root.startRange)
      return [:]
    }
    checkKeys(of: root)
    guard isOfDefinition(root) else { return [:] }
    return settings(in: root["settings"])
  }

  private func checkKeys(of root: YAMLNode) {
    let known = ["definition", "settings"]
    var seen: Set<String> = []
    for entry in root.entries {
      let name = entry.key.text ?? entry.key.kindName
      guard known.contains(name) else {
        log.error(
          "kept settings have no key '\(name)'", at: entry.key.range,
          hint: Suggestion.hint(for: name, in: known))
        continue
      }
      if !seen.insert(name).inserted { log.error("a second '\(name)'", at: entry.key.range) }
    }
  }

  /// Settings of another device may have the same names and mean something else.
  private func isOfDefinition(_ root: YAMLNode) -> Bool {
    guard let name = root["definition"] else {
      log.error(
        "'definition' is missing, which names the device", at: root.startRange,
        hint: "name a file that blemu has written")
      return false
    }
    if name.text == definition.name { return true }
    log.error(
      "these are settings of \(name.kindName), not of '\(definition.name)'", at: name.range,
      hint: "choose another file, or remove this one")
    return false
  }

  private func settings(in node: YAMLNode?) -> [Int: Value] {
    guard let node, node.text?.isEmpty != true else { return [:] }
    guard case .mapping(let entries) = node.content else {
      log.error("expected NAME: VALUE, found \(node.kindName)", at: node.startRange)
      return [:]
    }
    var values: [Int: Value] = [:]
    for entry in entries {
      guard let index = index(of: entry.key), let value = value(of: entry.value, for: index) else { continue }
      if values.updateValue(value, forKey: index) != nil {
        log.error(
          "a second '\(definition.settings[index].name)'", at: entry.key.range, hint: "remove one of them")
      }
    }
    return values
  }

  private func index(of key: YAMLNode) -> Int? {
    let names = definition.settings.map(\.name)
    if let index = names.firstIndex(where: { $0 == key.text }) { return index }
    let name = key.text ?? ""
    let hint = Suggestion.nearest(to: name, in: names).map { ", or write '\($0)'" } ?? ""
    log.error("the definition has no setting '\(name)'", at: key.range, hint: "remove the line\(hint)")
    return nil
  }

  private func value(of node: YAMLNode, for index: Int) -> Value? {
    guard let text = node.text else {
      log.error("expected a value, found \(node.kindName)", at: node.startRange, hint: "remove it")
      return nil
    }
    do { return try definition.settings[index].kind.parse(text) } catch {
      log.error(error.message, at: node.range, hint: "remove the line, or write a value that fits")
      return nil
    }
  }
}
