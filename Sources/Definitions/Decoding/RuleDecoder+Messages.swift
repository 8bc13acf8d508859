import DeviceModel

/// What a rule sends.
extension RuleDecoder {
  func send(_ node: YAMLNode, _ action: YAMLNode) -> Rule.Action? {
    let destination = destination(action)
    guard let content = content(node, action), let destination else { return nil }
    checkLength(of: content, to: destination, node)
    return .send(content, to: destination)
  }

  /// Where the rule says; else where its event came from; else the one place there is.
  private func destination(_ action: YAMLNode) -> Rule.Destination? {
    if action["to"]?.text == "wire" { return .port(.wire) }
    if let to = action["to"] {
      return decoder.notifying(to, orAt: ["wire"]).map { .port(.characteristic($0)) }
    }
    if !triggers.isEmpty, triggers.allSatisfy({ answering($0).map(canSend) ?? false }) { return .origin }
    let characteristics = decoder.definition.characteristics
    let able = characteristics.indices.filter { characteristics[$0].canNotify }
    if able.count == 1 { return .port(.characteristic(able[0])) }
    if triggers.isEmpty { return .origin }  // the event is wrong, which is reported
    decoder.log.error(
      "where to?", at: action.startRange,
      hint: "add 'to:' and one of \((able.map { characteristics[$0].id } + ["wire"]).joined(separator: ", "))"
    )
    return nil
  }

  /// Where answers to an event go: to where it came from, unless the characteristic says another.
  func answering(_ trigger: Rule.Trigger) -> Rule.Port? {
    origin(trigger).map(decoder.definition.answeringPort)
  }

  func origin(_ trigger: Rule.Trigger) -> Rule.Port? {
    switch trigger {
    case .received(_, let port): port
    case .subscribed(let index), .written(let index), .read(let index): .characteristic(index)
    default: nil
    }
  }

  private func canSend(_ port: Rule.Port) -> Bool {
    switch port {
    case .wire: true
    case .characteristic(let index): decoder.definition.characteristics[index].canNotify
    }
  }

  /// A message by its name, or written on the spot, and what fills its fields.
  func content(_ node: YAMLNode, _ action: YAMLNode) -> Rule.Content? {
    guard node.text == nil else {
      guard let index = decoder.message(node) else { return nil }
      return fields(of: decoder.definition.messages[index], node, action["with"]).map { .message(index, $0) }
    }
    if let with = action["with"] {
      decoder.log.error(
        "a message on the spot has its values in its holes", at: with.startRange,
        hint: "write them there: {level + 1: u8}")
    }
    guard let (text, form) = decoder.template(of: node) else { return nil }
    return decoder.read(text) { text throws(TextError) in
      .template(try ValueTemplate(text, form: form, in: scope))
    }
  }

  // MARK: Fields

  /// What fills each field: what `with` says, or the value of the same name where the rule knows one.
  private func fields(
    of message: MessageTemplate, _ node: YAMLNode, _ with: YAMLNode?
  ) -> [Rule.FieldSource]? {
    for entry in with?.entries ?? [] where !message.fields.contains(where: { $0.name == entry.key.text }) {
      let hint =
        message.fields.isEmpty
        ? "it has none" : Suggestion.hint(for: entry.key.text ?? "", in: message.fields.map(\.name))
      decoder.log.error(
        "'\(message.name)' has no field '\(entry.key.text ?? "")'", at: entry.key.range, hint: hint)
    }
    let fields = message.fields.map { field in
      with?[field.name].map { given($0, field) } ?? implied(field, of: message, node)
    }
    guard !fields.contains(where: { $0 == nil }) else { return nil }
    let sources = fields.compactMap { $0 }
    checkOptionalParts(of: message, sources, at: with ?? node)
    return sources
  }

  /// An optional part is there with all its fields or not at all.
  private func checkOptionalParts(
    of message: MessageTemplate, _ sources: [Rule.FieldSource], at node: YAMLNode
  ) {
    for part in message.optionalParts {
      let given = part.filter { sources[$0].isGiven }.map { message.fields[$0].name }
      guard !given.isEmpty, let missing = part.first(where: { !sources[$0].isGiven }) else { continue }
      decoder.log.error(
        "nothing fills '\(message.fields[missing].name)' of '\(message.name)', and its optional part is there",
        at: node.startRange,
        hint: "fill all of the part's fields, or none: \(given.joined(separator: ", "))")
    }
  }

  private func given(_ node: YAMLNode, _ field: MessageTemplate.Field) -> Rule.FieldSource? {
    if case .group(let columns) = field.valueType { return group(node, columns) }
    guard node.text != nil else {
      decoder.log.error("'\(field.name)' takes one value, not \(node.kindName)", at: node.range)
      return nil
    }
    return decoder.read(node) { text throws(TextError) in
      let expression = try decoder.expression(text, as: field.valueType, in: scope)
      if case .constant(let constant) = expression {
        do { try field.check(constant) } catch {
          throw TextError(message: "'\(field.name)': \(error)", range: 0..<text.unicodeScalars.count)
        }
      }
      return .value(expression)
    }
  }

  private func implied(
    _ field: MessageTemplate.Field, of message: MessageTemplate, _ node: YAMLNode
  ) -> Rule.FieldSource? {
    if scope.values[field.name]?.type == field.valueType, let binding = scope.use(field.name) {
      return .value(binding.expression)
    }
    if case .group(let columns) = field.valueType, let (index, table) = scope.tables[field.name],
      let positions = table.columns.positions(of: columns)
    {
      return .table(index, columns: positions)
    }
    if scope.isBroken(field.name) { return nil }
    if field.presence == .optional { return .absent }
    let other = scope.values[field.name].map { "'\(field.name)' is \($0.type.phrase) here; " } ?? ""
    decoder.log.error(
      "nothing fills '\(field.name)' of '\(message.name)'", at: node.range,
      hint: "\(other)add with: { \(field.name): … }")
    return nil
  }

  // MARK: Groups

  /// A list of rows, the name of a data table, or the name of a received group.
  private func group(_ node: YAMLNode, _ columns: [DataTable.Column]) -> Rule.FieldSource? {
    if let name = node.text, let (index, table) = scope.tables[name] {
      if let positions = table.columns.positions(of: columns) { return .table(index, columns: positions) }
      decoder.log.error(
        "'\(name)' does not have the columns \(columns.map(\.name).joined(separator: ", "))", at: node.range)
      return nil
    }
    if node.text != nil {
      return decoder.read(node) { text throws(TextError) in
        let typed = try ExpressionChecker.check(text, in: scope)
        guard case .group(let present) = typed.type, let positions = present.positions(of: columns) else {
          throw TextError(
            message: "expected \(ValueType.group(columns).phrase), found \(typed.type.phrase)",
            range: 0..<text.unicodeScalars.count)
        }
        return .value(present == columns ? typed.expression : .columns(positions, of: typed.expression))
      }
    }
    let rows = node.elements.map { row($0, columns) }
    return rows.contains { $0 == nil } ? nil : .rows(rows.compactMap { $0 })
  }

  private func row(_ node: YAMLNode, _ columns: [DataTable.Column]) -> [Expression]? {
    for entry in node.entries where !columns.contains(where: { $0.name == entry.key.text }) {
      let hint = Suggestion.hint(for: entry.key.text ?? "", in: columns.map(\.name))
      decoder.log.error("a row has no field '\(entry.key.text ?? "")'", at: entry.key.range, hint: hint)
    }
    let cells = columns.map { column -> Expression? in
      guard let value = node[column.name] else {
        decoder.log.error("nothing fills '\(column.name)' of this row", at: node.range)
        return nil
      }
      return decoder.read(value) { text throws(TextError) in
        try decoder.expression(text, as: column.type, in: scope)
      }
    }
    return cells.contains { $0 == nil } ? nil : cells.compactMap { $0 }
  }
}

extension [DataTable.Column] {
  /// Where these columns are among them; nil when one is missing.
  fileprivate func positions(of columns: Self) -> [Int]? {
    let positions = columns.compactMap { firstIndex(of: $0) }
    return positions.count == columns.count ? positions : nil
  }
}
