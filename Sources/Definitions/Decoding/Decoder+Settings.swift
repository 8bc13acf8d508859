import DeviceModel

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

  /// Reads `name: { type: …, default: …, … }`, a setting or a variable; nil where its type is unknown or its limits
  /// are wrong, which is reported.
  func setting(_ name: String, _ node: YAMLNode) -> SettingDefinition? {
    guard let kind = settingKind(of: node), let initial = node["default"], let text = initial.text else {
      return nil
    }
    do {
      return SettingDefinition(name: name, kind: kind, initial: try kind.parse(text))
    } catch {
      log.error(error.message, at: initial.range)
      return SettingDefinition(name: name, kind: kind, initial: .zero(of: kind.valueType))
    }
  }
}
