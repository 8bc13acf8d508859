import DeviceModel

/// The types of settings and variables, and what limits them.
extension DefinitionDecoder {
  func settingKind(of node: YAMLNode) -> SettingDefinition.Kind? {
    guard let type = node["type"]?.text.flatMap(ValueType.init(named:)) else { return nil }
    if let choices = node["one-of"] { return choice(among: choices, type) }
    switch type {
    case .text: return size(node["max"]).map { .text(max: $0) }
    case .bytes: return size(node["max"]).map { .bytes(max: $0) }
    case .boolean: return .boolean
    case .group: return nil
    case .integer:
      let least = limit(node["min"], or: Int64.min) { IntegerText.parse($0).map(Int64.init) }
      let most = limit(node["max"], or: Int64.max) { IntegerText.parse($0).map(Int64.init) }
      return range(from: least, to: most, node).map { .integer($0) }
    case .decimal:
      let least = limit(node["min"], or: -Double.greatestFiniteMagnitude, DecimalText.parse)
      let most = limit(node["max"], or: Double.greatestFiniteMagnitude, DecimalText.parse)
      return range(from: least, to: most, node).map { .decimal($0) }
    }
  }

  private func choice(among choices: YAMLNode, _ type: ValueType) -> SettingDefinition.Kind? {
    if choices.elements.isEmpty, case .sequence = choices.content {
      log.error("the list is empty", at: choices.range)
    }
    let values = choices.elements.compactMap { choiceValue($0, type) }
    var seen: Set<Value> = []
    for (element, value) in zip(choices.elements, values) where !seen.insert(value).inserted {
      log.error("a second '\(value)'", at: element.range)
    }
    return values.isEmpty || values.count < choices.elements.count ? nil : .oneOf(values)
  }

  private func choiceValue(_ node: YAMLNode, _ type: ValueType) -> Value? {
    guard let text = node.text else { return nil }
    do { return try Value(text, as: type) } catch {
      log.error(error.message, at: node.range)
      return nil
    }
  }

  /// The most bytes of a text or of bytes: 512 unless said.
  private func size(_ node: YAMLNode?) -> Int? {
    guard let most = limit(node, or: 512, IntegerText.parse) else { return nil }
    if most < 0, let node { log.error("'max' is a number of bytes", at: node.range) }
    if most > Value.longestSum, let node {
      log.error("\(most) bytes", at: node.range, hint: "at most \(Value.longestSum) are possible")
    }
    return max(0, most)
  }

  /// nil where it is not a number of this type.
  private func limit<Number>(
    _ node: YAMLNode?, or standard: Number, _ parse: (String) -> Number?
  ) -> Number? {
    guard let node else { return standard }
    guard let text = node.text, !log.hasError(at: node.range) else { return nil }
    if let number = parse(text) { return number }
    log.error("expected a whole number, found '\(text)'", at: node.range)
    return nil
  }

  private func range<Number>(
    from least: Number?, to most: Number?, _ node: YAMLNode
  ) -> ClosedRange<Number>? {
    guard let least, let most else { return nil }
    if least <= most { return least...most }
    log.error("'min' is greater than 'max'", at: node.startRange)
    return nil
  }
}
