import Bluetooth

extension DefinitionDecoder {
  func decodeRules() {
    for node in root["rules"]?.elements ?? [] {
      for trigger in triggers(node["on"]) { decodeRule(node, trigger) }
    }
  }

  /// What a rule waits for; a message is waited for on every characteristic that can be written and is
  /// framed, and on all that can be written where none is framed.
  private func triggers(_ node: YAMLNode?) -> [Rule.Trigger] {
    guard let node else { return [] }
    switch node.text {
    case "connect": return [.connected]
    case "disconnect": return [.disconnected]
    default: break
    }
    if let place = node["subscribe"] { return notifying(place).map { [.subscribed($0)] } ?? [] }
    if let place = node["unsubscribe"] { return notifying(place).map { [.unsubscribed($0)] } ?? [] }
    guard let message = message(node["receive"]) else { return [] }
    return receivers(node["receive"]!).map { .received(message: message, characteristic: $0) }
  }

  private func notifying(_ node: YAMLNode) -> Int? {
    guard let index = characteristic(node) else { return nil }
    if definition.characteristics[index].canNotify { return index }
    log.error(
      "nobody can subscribe to '\(node.text ?? "")'", at: node.range,
      hint: "it has neither notify nor indicate")
    return nil
  }

  private func receivers(_ node: YAMLNode) -> [Int] {
    let writable = definition.characteristics.indices.filter { definition.characteristics[$0].canBeWritten }
    let framed = writable.filter { definition.characteristics[$0].framing != nil }
    if writable.isEmpty {
      log.error("no characteristic can be written, so nothing is received", at: node.range)
    }
    return framed.isEmpty ? writable : framed
  }

  private func decodeRule(_ node: YAMLNode, _ trigger: Rule.Trigger) {
    let scope = scope(of: trigger)
    let condition = read(node["if"]) { text throws(TextError) in
      try self.expression(text, as: .boolean, in: scope)
    }
    let actions: [YAMLNode]
    switch node["do"]?.content {
    case .sequence(let elements): actions = elements
    case .mapping: actions = [node["do"]!]
    default: actions = []
    }
    definition.rules.append(
      Rule(
        trigger: trigger, condition: condition,
        actions: actions.compactMap { action($0, trigger, scope) }, line: node.range.start.line))
  }

  private func scope(of trigger: Rule.Trigger) -> NameScope {
    guard case .received(let message, _) = trigger else { return scope }
    return scope.adding(fields: definition.messages[message].fields)
  }

  private func expression(
    _ text: String, as type: ValueType, in scope: NameScope
  ) throws(TextError) -> Expression {
    let typed = try ExpressionChecker.check(text, in: scope)
    guard typed.type == type else {
      let hint = type == .integer && typed.type == .decimal ? "round it: ceil(…), floor(…) or round(…)" : nil
      throw TextError(
        message: "expected \(type.phrase), found \(typed.type.phrase)", range: 0..<text.unicodeScalars.count,
        hint: hint)
    }
    return typed.expression
  }

  private func action(_ node: YAMLNode, _ trigger: Rule.Trigger, _ scope: NameScope) -> Rule.Action? {
    if let text = node["log"] {
      for key in ["send", "with", "to"] where node[key] != nil {
        log.error(
          "an action has either 'log' or 'send'", at: node[key]!.range, hint: "make a list of two actions")
      }
      return read(text) { text throws(TextError) in try ValueTemplate.text(text, in: scope) }.map(
        Rule.Action.log)
    }
    guard node["send"] != nil else {
      if !node.entries.isEmpty { log.error("an action needs 'send' or 'log'", at: node.startRange) }
      return nil
    }
    let destination = destination(node, trigger)
    guard let message = message(node["send"]) else { return nil }
    let fields = fields(of: definition.messages[message], node, scope)
    guard let destination, let fields else { return nil }
    return .send(message: message, fields: fields, to: destination)
  }

  private func destination(_ node: YAMLNode, _ trigger: Rule.Trigger) -> Rule.Destination? {
    if node["to"]?.text == "wire" { return .wire }
    if let to = node["to"] { return notifying(to).map { .characteristic($0) } }
    let origin: Int? =
      switch trigger {
      case .received(_, let index), .subscribed(let index): index
      default: nil
      }
    if let origin, definition.characteristics[origin].canNotify { return .characteristic(origin) }
    let able = definition.characteristics.filter(\.canNotify).map(\.id)
    log.error(
      "where to?", at: node.startRange,
      hint: "add 'to:' and one of \((able + ["wire"]).joined(separator: ", "))")
    return nil
  }

  /// An expression for each field: from `with`, or the name itself where the rule knows it.
  private func fields(of message: MessageTemplate, _ node: YAMLNode, _ scope: NameScope) -> [Expression]? {
    for entry in node["with"]?.entries ?? []
    where !message.fields.contains(where: { $0.name == entry.key.text }) {
      let hint = Suggestion.hint(for: entry.key.text ?? "", in: message.fields.map(\.name))
      log.error("'\(message.name)' has no field '\(entry.key.text ?? "")'", at: entry.key.range, hint: hint)
    }
    let fields = message.fields.map { field -> Expression? in
      if let value = node["with"]?[field.name] {
        return read(value) { text throws(TextError) in
          let expression = try self.expression(text, as: field.valueType, in: scope)
          try self.check(expression, fits: field, text)
          return expression
        }
      }
      if let binding = scope.values[field.name], binding.type == field.valueType {
        return binding.expression
      }
      if scope.isBroken(field.name) { return nil }
      log.error(
        "nothing fills '\(field.name)' of '\(message.name)'", at: node["send"]!.range,
        hint: "add with: { \(field.name): … }")
      return nil
    }
    return fields.contains { $0 == nil } ? nil : fields.compactMap { $0 }
  }

  /// A constant is known to fit or not before anything happens.
  private func check(
    _ expression: Expression, fits field: MessageTemplate.Field, _ text: String
  ) throws(TextError) {
    guard case .constant(let value) = expression else { return }
    do { try field.check(value) } catch {
      throw TextError(message: "'\(field.name)': \(error)", range: 0..<text.unicodeScalars.count)
    }
  }
}
