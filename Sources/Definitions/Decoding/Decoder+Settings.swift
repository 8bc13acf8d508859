extension DefinitionDecoder {
  func decodeSettings() {
    for entry in root["settings"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      guard let setting = slot(name, entry.value) else {
        scope.addBroken(name)
        continue
      }
      if scope.values[name] != nil {
        log.error("'\(name)' is a name of the language", at: entry.key.range, hint: "choose another")
      }
      scope.addSetting(name, index: definition.settings.count, type: setting.kind.valueType)
      definition.settings.append(setting)
    }
  }
}
