import DeviceModel

/// The messages that a rule sends.
extension ActionDecoder {
  mutating func send(_ use: Language.MessageUse, _ node: Node<Language.Action>) -> Rule.Action? {
    let destination = destination(node)
    guard let content = content(use, node), let destination else { return nil }
    layerUses.send(to: destination, triggers, at: node.to?.range ?? use.range)
    checkLength(of: content, to: destination, at: use.range)
    return .send(content, to: destination)
  }

  /// The place that the rule names; else the place of its event; else the only possible place.
  private func destination(_ node: Node<Language.Action>) -> Rule.Destination? {
    if let to = node.to {
      if to.text == "wire" { return .endpoint(.wire) }
      let finder = parts.characteristics
      if to.text == "origin", !finder.all.contains(where: { $0.id == to.text }) { return origin(to) }
      if to.text == "central", !finder.all.contains(where: { $0.id == to.text }) {
        log.error(.centralAsPlace, at: to.range)
        return nil
      }
      return finder.place(to, orAt: ["wire"]) { finder.notifying($0, orAt: $1) }.map { .endpoint($0) }
    }
    if let destination = parts.device.destination(afterAnyOf: triggers) { return destination }
    if triggers.isEmpty { return .origin }  // the event is wrong, which is reported
    let ids = parts.device.senders.map { parts.device.name(of: $0) } + ["wire"]
    log.error(.noDestination(possible: ids), at: node.place)
    return nil
  }

  /// The place of the event, which has to be one that sends.
  private func origin(_ word: Scalar) -> Rule.Destination? {
    let device = parts.device
    let hasPlaces = triggers.allSatisfy { $0.place != nil || device.answeringEndpoint(to: $0) != nil }
    if hasPlaces, device.canAnswer(triggers) { return .origin }
    log.error(hasPlaces ? .silentOrigin : .noOrigin, at: word.range)
    return nil
  }

  /// A message by its name, or written in the rule, with the values of its fields.
  mutating func content(_ use: Language.MessageUse, _ node: Node<Language.Action>) -> Rule.Content? {
    switch use {
    case .named(let name):
      guard let index = parts.message(name) else { return nil }
      return fields(of: parts.device.messages[index], name, node.with).map { .message(index, $0) }
    case .written(let message):
      if let with = node.with { log.error(.valuesBesideMessage, at: with.place) }
      guard let (text, form) = message.template else { return nil }
      return reader.template(text, form).map { .template($0) }
    }
  }
}

// MARK: Fields

extension ActionDecoder {
  /// The value of each field: from `with`, or the value of the same name if the rule has one.
  private mutating func fields(
    of message: MessageTemplate, _ name: Scalar, _ with: Language.Fields?
  ) -> [Rule.FieldSource]? {
    let given = Dictionary((with?.entries ?? []).map { ($0.key.text, $0.value) }) { first, _ in first }
    for entry in with?.entries ?? [] where !message.fields.contains(where: { $0.name == entry.key.text }) {
      if log.isConsequence(entry.key) { continue }
      let known = message.fields.map(\.name)
      log.error(
        .unknownField(entry.key.text, message: message.name, known: known, checksums: names.checksums),
        at: entry.key.range)
    }
    var sources: [Rule.FieldSource] = []
    for field in message.fields {
      let source =
        if let filling = given[field.name] { self.source(filling, field) } else {
          implied(field, of: message, name)
        }
      if let source { sources.append(source) }
    }
    guard sources.count == message.fields.count else { return nil }
    checkConditionalParts(of: message.fields, sources, at: with?.place ?? name.range)
    checkOptionalParts(of: message, sources, at: with?.place ?? name.range)
    return sources
  }

  /// An optional part has values for all its fields, or for none.
  private func checkOptionalParts(
    of message: MessageTemplate, _ sources: [Rule.FieldSource], at range: SourceRange
  ) {
    for part in message.optionalParts {
      let given = part.filter { sources[$0].isGiven }.map { message.fields[$0].name }
      guard !given.isEmpty, let missing = part.first(where: { !sources[$0].isGiven }) else { continue }
      log.error(
        .incompletePart(
          missing: message.fields[missing].name, message: message.name, given: given),
        at: range)
    }
  }

  /// The fields of a part have values if it is certainly present. Otherwise it is known only when the message is built.
  private func checkConditionalParts(
    of fields: [MessageTemplate.Field], _ sources: [Rule.FieldSource], at range: SourceRange
  ) {
    for (field, source) in zip(fields, sources) where !source.isGiven {
      guard case .conditional(let name) = field.presence,
        let condition = fields.firstIndex(where: { $0.name == name }),
        case .value(.constant(let number)) = sources[condition], number != .integer(0)
      else { continue }
      log.error(.unfilledPart(field.name, condition: name, number), at: range)
    }
  }

  private mutating func source(
    _ filling: Language.Filling, _ field: MessageTemplate.Field
  ) -> Rule.FieldSource? {
    switch filling {
    case .value(let scalar):
      if case .group(let columns) = field.valueType { return group(scalar, columns) }
      return value(scalar, field)
    case .rows(_, let range) where field.columns.isEmpty: return reportList(for: field, at: range)
    case .rows(let rows, _):
      var read: [Rule.Row] = []
      for row in rows { if let row = self.row(row, field.columns) { read.append(row) } }
      return read.count < rows.count ? nil : .rows(read)
    case .row(let row) where field.columns.isEmpty: return reportList(for: field, at: row.range)
    case .row(let row):
      if !field.isSingle { log.error(.rowForRows(field: field.name), at: row.range) }
      return self.row(row, field.columns).map { .rows([$0]) }
    case .repeated(let node) where field.columns.isEmpty: return reportList(for: field, at: node.range)
    case .repeated(let node): return repeated(node, field)
    }
  }

  private func reportList(for field: MessageTemplate.Field, at range: SourceRange) -> Rule.FieldSource? {
    log.error(.listForOneValue(field: field.name), at: range)
    return nil
  }

  private func value(_ scalar: Scalar, _ field: MessageTemplate.Field) -> Rule.FieldSource? {
    log.read(scalar) { text throws(TextError) in
      let expression = try Expression(text, as: field.valueType, in: names)
      if case .constant(let constant) = expression {
        do { try field.check(constant) } catch {
          throw TextError(.badConstant(field: field.name, error), 0..<text.unicodeScalars.count)
        }
      }
      return .value(expression)
    }
  }

  private func implied(
    _ field: MessageTemplate.Field, of message: MessageTemplate, _ name: Scalar
  ) -> Rule.FieldSource? {
    if names.values[field.name]?.type == field.valueType, let binding = names.use(field.name) {
      names.record.place(at: name.range)
      return .value(binding.expression)
    }
    if field.valueType == .decimal, names.values[field.name]?.type == .integer,
      let binding = names.use(field.name)
    {
      names.record.place(at: name.range)
      return .value(binding.expression.asDecimal)
    }
    if case .group(let columns) = field.valueType, let (index, table) = names.tables[field.name],
      let positions = table.columns.positions(of: columns)
    {
      return .table(index, columns: positions)
    }
    if names.isIncomplete || names.isBroken(field.name) { return nil }
    if field.presence != .always { return .absent }
    let other = names.values[field.name]?.type
    log.error(.unfilledField(field.name, message: message.name, other: other), at: name.range)
    return nil
  }
}

// MARK: Groups

extension ActionDecoder {
  /// The rows of a data table, or of a received group.
  private func group(_ scalar: Scalar, _ columns: [DataTable.Column]) -> Rule.FieldSource? {
    if let (index, table) = names.tables[scalar.text] {
      if let positions = table.columns.positions(of: columns) { return .table(index, columns: positions) }
      log.error(.missingColumns(table: scalar.text, expected: columns.map(\.name)), at: scalar.range)
      return nil
    }
    return log.read(scalar) { text throws(TextError) in
      let typed = try ExpressionChecker.check(text, in: names)
      guard case .group(let present) = typed.type, let positions = present.positions(of: columns) else {
        throw TextError(.mismatchedType(typed.type, expected: .group(columns)), 0..<text.unicodeScalars.count)
      }
      return .value(present == columns ? typed.expression : .columns(positions, of: typed.expression))
    }
  }

  /// Rows whose expressions know the row's index.
  private mutating func repeated(
    _ node: Node<Language.RepeatedRow>, _ field: MessageTemplate.Field
  ) -> Rule.FieldSource? {
    guard case .group(let columns, let allowed) = field.content, let written = node.row else { return nil }
    let count = reader.expression(node.count, as: .integer)
    if case .constant(.integer(let number)) = count, !allowed.contains(Int(number)),
      written.condition(besides: columns) == nil
    {
      let problem = EncodingError.rowCount(Int(number), allowed)
      log.error(.badConstant(field: field.name, problem), at: node.place(of: "repeat"))
    }
    let outside = (names, outerNames)
    let index = beginRepetition(named: node.index)
    let row = self.row(written, columns)
    (names, outerNames) = outside
    guard let count, let row else { return nil }
    return .repeated(count, index: index, row, rows: allowed)
  }

  private mutating func row(
    _ row: Language.FieldRow, _ columns: [MessageTemplate.Field]
  ) -> Rule.Row? {
    if case .value(let scalar) = row.content {
      guard columns.count == 1 else {
        log.error(.valueForRow(columns: columns.map(\.name)), at: row.range)
        return nil
      }
      return source(.value(scalar), columns[0]).map { Rule.Row([$0]) }
    }
    let condition = row.condition(besides: columns)
    let expression = condition.flatMap { self.condition($0) }
    for entry in row.cells where !columns.contains(where: { $0.name == entry.key.text }) {
      if entry.key.text == Language.FieldRow.conditionName || log.isConsequence(entry.key) { continue }
      log.error(.unknownCell(entry.key.text, known: columns.map(\.name)), at: entry.key.range)
    }
    var cells: [Rule.FieldSource] = []
    for column in columns {
      guard let cell = row.cells.first(where: { $0.key.text == column.name }) else {
        if column.presence != .always {
          cells.append(.absent)
          continue
        }
        log.error(.unfilledCell(column.name), at: row.range)
        continue
      }
      if let source = source(cell.value, column) { cells.append(source) }
    }
    guard cells.count == columns.count, condition == nil || expression != nil else { return nil }
    checkConditionalParts(of: columns, cells, at: row.range)
    return Rule.Row(cells, if: expression)
  }

  private func condition(_ filling: Language.Filling) -> Expression? {
    switch filling {
    case .value(let scalar): return reader.expression(scalar, as: .boolean)
    case .rows(_, let range):
      log.error(.listAsCondition, at: range)
    case .row(let row): log.error(.listAsCondition, at: row.range)
    case .repeated(let node):
      log.error(.listAsCondition, at: node.range)
    }
    return nil
  }
}

extension Language.FieldRow {
  /// Its condition, unless a column has that name.
  fileprivate func condition(besides columns: [MessageTemplate.Field]) -> Language.Filling? {
    if columns.contains(where: { $0.name == Self.conditionName }) { return nil }
    return cells.first { $0.key.text == Self.conditionName }?.value
  }
}

extension [DataTable.Column] {
  /// The indices of these columns; nil if one is missing.
  fileprivate func positions(of columns: Self) -> [Int]? {
    let positions = columns.compactMap { firstIndex(of: $0) }
    return positions.count == columns.count ? positions : nil
  }
}
