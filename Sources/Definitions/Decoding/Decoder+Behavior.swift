import DeviceModel

/// Variables, states and generators.
extension DefinitionDecoder {
  func decodeVariables() {
    for entry in root["variables"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      guard let variable = setting(name, entry.value) else {
        scope.addBroken(name)
        continue
      }
      checkIsNew(name, at: entry.key)
      scope.addVariable(name, index: definition.variables.count, type: variable.kind.valueType)
      definition.variables.append(variable)
    }
  }

  /// Names for expressions; each may use those before it.
  func decodeValues() {
    for entry in root["values"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      let typed = read(entry.value) { text throws(TextError) in
        try self.namedExpression(text)
      }
      guard let typed else {
        scope.addBroken(name)
        continue
      }
      checkIsNew(name, at: entry.key)
      scope.addValue(name, typed.expression, type: typed.type)
    }
  }

  private func namedExpression(_ text: String) throws(TextError) -> ExpressionChecker.Typed {
    let typed = try ExpressionChecker.check(text, in: scope)
    guard typed.expression.count <= Expression.largestNamed else {
      throw TextError(
        message: "with all that its names stand for, the expression is too long",
        range: 0..<text.unicodeScalars.count)
    }
    return typed
  }

  /// Settings, variables, generators, values and tables stand in the same expressions.
  func checkIsNew(_ name: String, at node: YAMLNode) {
    guard let owner = scope.owner(of: name) else { return }
    let too = owner == "the language" ? "" : ", too"
    log.error("'\(name)' is a name of \(owner)\(too)", at: node.range, hint: "choose another")
  }

  /// What `set` may change, by name.
  func slot(named name: String) -> (Rule.Slot, SettingDefinition)? {
    if let index = definition.variables.firstIndex(where: { $0.name == name }) {
      return (.variable(index), definition.variables[index])
    }
    return definition.settings.firstIndex { $0.name == name }.map {
      (.setting($0), definition.settings[$0])
    }
  }

  var slotNames: [String] { (definition.variables + definition.settings).map(\.name) }

  func decodeStates() {
    for node in root["states"]?.elements ?? [] {
      guard let name = node.text else { continue }
      if definition.states.contains(name) {
        log.error("a second state '\(name)'", at: node.range, hint: "remove one of them")
      } else if !Identifier.isValid(name) {
        log.error("'\(name)' is not a name", at: node.range, hint: Identifier.rule)
      }
      definition.states.append(name)
    }
    scope.states = definition.states
  }
}

// MARK: Generators

extension DefinitionDecoder {
  func decodeGenerators() {
    for entry in root["generators"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      guard let (shape, type) = shape(of: entry.value) else {
        scope.addBroken(name)
        continue
      }
      checkIsNew(name, at: entry.key)
      scope.addGenerator(name, index: definition.generators.count, type: type)
      definition.generators.append(GeneratorDefinition(name: name, shape: shape, type: type))
    }
  }

  private func shape(of node: YAMLNode) -> (GeneratorDefinition.Shape, ValueType)? {
    guard let word = node["shape"]?.text,
      let keys = Language.generatorShapes.first(where: { $0.name == word })?.keys,
      keys.allSatisfy({ node[$0] != nil })
    else { return nil }
    if word == "replay" { return replay(node) }
    let numbers = keys.compactMap { key -> (String, Double)? in
      guard !["period", "over", "every"].contains(key), let value = node[key] else { return nil }
      return number(value).map { (key, $0) }
    }
    let value = Dictionary(uniqueKeysWithValues: numbers)
    let period = (node["period"] ?? node["over"] ?? node["every"]).flatMap(positiveDuration)
    guard value.count == keys.count - 1, let period else { return nil }
    let isWhole = keys.allSatisfy { key in
      node[key]?.text.flatMap(IntegerText.parse) != nil || value[key] == nil
    }
    let type: ValueType = isWhole ? .integer : .decimal
    if word == "ramp" { return (.ramp(from: value["from"]!, to: value["to"]!, over: period), type) }
    guard let least = value["min"], let most = value["max"], least <= most else {
      log.error("'min' is greater than 'max'", at: (node["min"] ?? node).startRange)
      return nil
    }
    switch word {
    case "sine": return (.sine(least, most, period: period), type)
    case "random": return (.random(least...most, every: period), type)
    default: return (.randomWalk(least...most, step: abs(value["step"]!), every: period), type)
    }
  }

  private func number(_ node: YAMLNode) -> Double? {
    guard let text = node.text else { return nil }
    guard let number = IntegerText.parse(text).map(Double.init) ?? Double(text), number.isFinite else {
      log.error("expected a number, found '\(text)'", at: node.range)
      return nil
    }
    if abs(number) < 1e15 { return number }
    log.error("\(text) is too large", at: node.range, hint: "less than 1e15")
    return nil
  }

  private func positiveDuration(_ node: YAMLNode) -> Int64? {
    guard let milliseconds = duration(node) else { return nil }
    if milliseconds >= 1 { return Int64(milliseconds) }
    log.error("'\(node.text ?? "")' is too short", at: node.range, hint: "at least 1ms")
    return nil
  }

  private func replay(_ node: YAMLNode) -> (GeneratorDefinition.Shape, ValueType)? {
    guard let name = node["table"]?.text, let every = node["every"].flatMap(positiveDuration) else {
      return nil
    }
    guard let index = definition.tables.firstIndex(where: { $0.name == name }) else {
      if !scope.isBroken(name) {
        let hint = Suggestion.hint(for: name, in: definition.tables.map(\.name))
        log.error("no data table '\(name)'", at: node["table"]!.range, hint: hint)
      }
      return nil
    }
    let table = definition.tables[index]
    guard let column = table.columns.firstIndex(where: { $0.name == node["column"]?.text }) else {
      let hint = Suggestion.hint(for: node["column"]?.text ?? "", in: table.columns.map(\.name))
      log.error(
        "'\(name)' has no column '\(node["column"]?.text ?? "")'", at: node["column"]!.range, hint: hint)
      return nil
    }
    guard table.count > 0 else {
      log.error("'\(name)' has no rows", at: node["table"]!.range)
      return nil
    }
    return (.replay(table: index, column: column, every: every), table.columns[column].type)
  }
}
