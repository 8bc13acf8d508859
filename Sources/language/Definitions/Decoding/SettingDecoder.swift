import DeviceModel

/// Reads settings and variables.
struct SettingDecoder {
  let log: DiagnosticLog

  func settings(
    _ entries: [Entry<Node<Language.Setting>>], _ names: inout NameScope
  ) -> [SettingDefinition] {
    names.declare(entries, log: log) { entry, _ in
      setting(entry.key.text, entry.value, canBeDrawn: true)
    } bind: { names, index, setting in
      names.addSetting(setting.name, index: index, type: setting.kind.valueType)
    }
  }

  func variables(
    _ entries: [Entry<Node<Language.Setting>>], _ names: inout NameScope
  ) -> [SettingDefinition] {
    names.declare(entries, log: log) { entry, _ in
      var variable = setting(entry.key.text, entry.value)
      variable?.isPerCentral = entry.value.owner != nil
      return variable
    } bind: { names, index, variable in
      names.addVariable(
        variable.name, index: index, type: variable.kind.valueType, isPerCentral: variable.isPerCentral)
    }
  }

  /// nil if the type is unknown or the limits are wrong.
  private func setting(
    _ name: String, _ node: Node<Language.Setting>, canBeDrawn: Bool = false
  ) -> SettingDefinition? {
    guard let kind = kind(of: node), let initial = node.initial else { return nil }
    if initial.text == Language.Setting.random, kind.valueType == .bytes {
      if !canBeDrawn { log.error(.randomVariable(name), at: initial.range) }
      if node.max == nil { log.error(.randomOfAnySize, at: initial.range) }
      var setting = SettingDefinition(
        name: name, kind: kind, initial: SettingDefinition.drawn(kind, name, seed: 0) ?? .bytes([]))
      setting.isDrawn = true
      return setting
    }
    do {
      return SettingDefinition(name: name, kind: kind, initial: try kind.parse(initial.text))
    } catch {
      log.error(error.message, at: initial.range, hint: error.hint)
      return SettingDefinition(name: name, kind: kind, initial: .zero(of: kind.valueType))
    }
  }
}

// MARK: Types and limits

extension SettingDecoder {
  private func kind(of node: Node<Language.Setting>) -> SettingDefinition.Kind? {
    guard let type = node.type.flatMap({ ValueType(named: $0.text) }) else { return nil }
    if !node.choices.isEmpty { return choice(among: node.choices, type) }
    switch type {
    case .text: return size(node.max).map { .text(max: $0) }
    case .bytes: return size(node.max).map { .bytes(max: $0) }
    case .boolean: return .boolean
    case .group: return nil
    case .integer:
      let least = limit(node.min, or: Int64.min) { IntegerText.parse($0).map(Int64.init) }
      let most = limit(node.max, or: Int64.max) { IntegerText.parse($0).map(Int64.init) }
      return range(from: least, to: most, node).map { .integer($0) }
    case .decimal:
      let least = limit(node.min, or: -Double.greatestFiniteMagnitude, DecimalText.parse)
      let most = limit(node.max, or: Double.greatestFiniteMagnitude, DecimalText.parse)
      return range(from: least, to: most, node).map { .decimal($0) }
    }
  }

  private func choice(among choices: [Scalar], _ type: ValueType) -> SettingDefinition.Kind? {
    let values = choices.compactMap { choiceValue($0, type) }
    for (index, value) in values.enumerated() where values[..<index].contains(value) {
      log.error(.secondChoice(value), at: choices[index].range)
    }
    return values.isEmpty || values.count < choices.count ? nil : .oneOf(values)
  }

  private func choiceValue(_ scalar: Scalar, _ type: ValueType) -> Value? {
    do { return try Value(scalar.text, as: type) } catch {
      log.error(error.message, at: scalar.range, hint: error.hint)
      return nil
    }
  }

  /// The most bytes of a text or of bytes.
  private func size(_ scalar: Scalar?) -> Int? {
    guard let scalar else { return SettingDefinition.Kind.standardSize }
    guard let most = limit(scalar, or: 0, IntegerText.parse) else { return nil }
    if most < 0 { log.error(.negativeSize, at: scalar.range) }
    if most > Value.largestSize {
      log.error(.tooLargeSize(most, most: Value.largestSize), at: scalar.range)
    }
    return max(0, most)
  }

  /// nil if it is not a number of this type.
  private func limit<Number>(
    _ scalar: Scalar?, or standard: Number, _ parse: (String) -> Number?
  ) -> Number? {
    guard let scalar else { return standard }
    if let number = parse(scalar.text) { return number }
    log.error(.notWholeNumber(scalar.text), at: scalar.range)
    return nil
  }

  private func range<Number>(
    from least: Number?, to most: Number?, _ node: Node<Language.Setting>
  ) -> ClosedRange<Number>? {
    guard let least, let most else { return nil }
    if least <= most { return least...most }
    log.error(.emptyRange, at: node.place)
    return nil
  }
}
