import Bluetooth
import DeviceModel

/// Functions and tables with special checks.
extension ExpressionChecker {
  /// `if(condition, a, b)`
  func conditional(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    guard arguments.count == 3 else {
      throw TextError(.wrongArgumentsOfIf, range)
    }
    let condition = try check(arguments[0])
    guard condition.type == .boolean else {
      throw mismatch(condition.type, .type(.boolean), arguments[0].range)
    }
    let (first, second) = (try check(arguments[1]), try check(arguments[2]))
    guard first.type == second.type else {
      throw mismatch(second.type, .typeOfFirstCase(first.type), arguments[2].range)
    }
    let expression = Expression.conditional(
      condition.expression, then: first.expression, else: second.expression)
    return (expression, first.type)
  }

  /// `u16le(number)`, the number as bytes; `u16le(bytes, index)`, the number in bytes.
  func number(
    _ encoding: FieldEncoding, _ name: String, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard (1...2).contains(arguments.count) else {
      throw TextError(.wrongArgumentsOfNumber(name), range)
    }
    let first = try check(arguments[0])
    if arguments.count == 2 {
      guard first.type == .bytes else { throw mismatch(first.type, .type(.bytes), arguments[0].range) }
      let index = try check(arguments[1])
      guard index.type == .integer else { throw mismatch(index.type, .type(.integer), arguments[1].range) }
      let number = Expression.decoded(encoding, of: first.expression, at: index.expression)
      return try folded(number, encoding.valueType, [first, index], at: range)
    }
    if first.type == .bytes {
      throw TextError(.numberWithoutIndex(name), arguments[0].range)
    }
    let isRaised = first.type == .integer && encoding.valueType == .decimal
    guard first.type == encoding.valueType || isRaised else {
      throw mismatch(first.type, .type(encoding.valueType), arguments[0].range)
    }
    let number = isRaised ? first.expression.asDecimal : first.expression
    return try folded(.encoded(encoding, number), .bytes, [first], at: range)
  }

  /// `random(least, most)`
  func random(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    guard arguments.count == 2 else {
      throw TextError(.wrongArgumentsOfRandom, range)
    }
    let (least, most) = (try check(arguments[0]), try check(arguments[1]))
    guard least.type == .integer else { throw mismatch(least.type, .type(.integer), arguments[0].range) }
    guard most.type == .integer else { throw mismatch(most.type, .type(.integer), arguments[1].range) }
    if case .constant(.integer(let a)) = least.expression, case .constant(.integer(let b)) = most.expression,
      a > b
    {
      throw TextError(.noValue(.emptyRange(a, b)), range)
    }
    return (.random(least.expression, most.expression, site: scope.record.nextSite()), .integer)
  }

  /// `random-bytes(count)`
  func randomBytes(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    guard arguments.count == 1 else { throw TextError(.wrongArgumentsOfRandomBytes, range) }
    let count = try check(arguments[0])
    guard count.type == .integer else { throw mismatch(count.type, .type(.integer), arguments[0].range) }
    try ArgumentRequirement.randomBytes.check(count, at: arguments[0].range)
    return (.randomBytes(count.expression, site: scope.record.nextSite()), .bytes)
  }

  /// `subscribed(ID)`; an id that begins with a digit is quoted.
  func subscribed(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    guard let id = id(arguments) else {
      let known = scope.notifying.keys.sorted()
      throw TextError(.wrongArgumentsOfSubscribed(known: known), range)
    }
    guard let index = scope.notifying[id] else {
      if scope.lacksAttributes { throw consequence(of: id, at: range) }
      let known = scope.notifying.keys.sorted()
      throw TextError(.unknownNotifying(id, known: known), arguments[0].range)
    }
    return (.isSubscribed(index), .boolean)
  }

  private func id(_ arguments: [ExpressionSyntax]) -> String? {
    guard arguments.count == 1 else { return nil }
    return switch arguments[0].kind {
    case .name(let name): name
    case .constant(.text(let text)): text
    default: nil
    }
  }

  /// `handle(ID)`; an id that begins with a digit, and a descriptor, are quoted: `handle('FFE1/2901')`.
  func handle(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    let known = scope.attributes.keys.sorted()
    guard let id = id(arguments) else {
      throw TextError(.wrongArgumentsOfHandle(known: known), range)
    }
    guard let owner = scope.attributes[id] else {
      if scope.lacksAttributes { throw consequence(of: id, at: range) }
      throw TextError(.unknownAttribute(id, known: known), arguments[0].range)
    }
    scope.record.note(.handle)
    return (.handle(owner), .integer)
  }

  /// `psm(CHANNEL)`, a constant.
  func psm(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    let known = scope.channelPSMs.keys.sorted()
    guard let id = id(arguments) else { throw TextError(.wrongArgumentsOfPSM(known: known), range) }
    guard let psm = scope.channelPSMs[id] else {
      throw TextError(.unknownChannel(id, known: known), arguments[0].range)
    }
    return (.constant(.integer(psm)), .integer)
  }

  /// `local-time(zone)`, `local-time(time, zone)`
  func localTime(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    guard let last = arguments.last else { throw TextError(.wrongArguments(of: .localTime), range) }
    if case .constant(.text(let zone)) = last.kind, let mistake = Mistake.unknownTimeZone(zone) {
      throw TextError(mistake, last.range)
    }
    if let zone = last.path, let first = last.names.first, !scope.isName(first),
      KnownValue(rawValue: first) == nil
    {
      throw TextError(.textWithoutQuotes(zone), last.range)
    }
    guard arguments.count == 1 else { return try call(.localTime, arguments, at: range) }
    let zone = try check(last)
    guard zone.type == .text else { throw mismatch(zone.type, .type(.text), last.range) }
    return (.call(.localTime, [.known(.unixTime), zone.expression]), .integer)
  }

  /// `setting(NAME)`, `has-setting(NAME)`, `can-set(NAME, TEXT)`, each with texts.
  func named(
    _ question: Expression.SettingQuestion, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard arguments.count == question.argumentCount else {
      throw TextError(.wrongArgumentsOfSetting(question), range)
    }
    var texts: [Expression] = []
    for argument in arguments {
      let text = try check(argument)
      guard text.type == .text else { throw mismatch(text.type, .type(.text), argument.range) }
      texts.append(text.expression)
    }
    if case .constant(.text(let name)) = texts[0], !scope.settingNames.contains(name) {
      throw TextError(.unknownSetting(name, known: scope.settingNames), arguments[0].range)
    }
    return (.named(question, texts, count: scope.settingNames.count), question.valueType)
  }

  /// `bytes[index]`
  func byte(
    of base: ExpressionSyntax, _ index: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    if case .name(let name) = base.kind, scope.values[name] == nil, let (table, rows) = scope.tables[name] {
      return try self.rows(of: table, rows, index, at: range)
    }
    let bytes = try check(base)
    if bytes.type.isGroup {
      throw TextError(.groupRowAsValue, range)
    }
    guard bytes.type == .bytes else { throw mismatch(bytes.type, .type(.bytes), base.range) }
    return (.byte(of: bytes.expression, at: try rowIndex(index, at: range)), .integer)
  }

  /// `table[key]` with a part of the key: the rows that begin with it.
  private func rows(
    of index: Int, _ table: DataTable, _ key: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard !key.isEmpty, key.count < table.keyColumns.count else {
      throw TextError(.tableRowAsValue, range)
    }
    var keys: [Expression] = []
    for (part, column) in zip(key, table.keyColumns) {
      let value = try check(part)
      let expected = table.columns[column].type
      guard value.type == expected else { throw mismatch(value.type, .type(expected), part.range) }
      keys.append(value.expression)
    }
    return (.rows(table: index, key: keys), .group(table.columns))
  }

  /// `group[index].field`
  func groupCell(
    _ base: ExpressionSyntax, _ index: [ExpressionSyntax], column: String, at range: Range<Int>
  ) throws(TextError) -> Typed {
    let group = try check(base)
    guard case .group(let columns) = group.type else { throw mismatch(group.type, .group, base.range) }
    guard let position = columns.firstIndex(where: { $0.name == column }) else {
      throw TextError(.unknownGroupField(column, known: columns.map(\.name)), range)
    }
    let row = try rowIndex(index, at: range)
    let type = columns[position].type
    return (.groupCell(group: group.expression, row: row, column: position, type), type)
  }

  /// The field of the received message that an expression is; nil: it is something else.
  private func field(_ syntax: ExpressionSyntax) -> MessageTemplate.Field? {
    switch syntax.kind {
    case .name(let name): scope.field(named: name)
    case .lookup(let rows, _): field(rows)
    case .member(let base, let column, _): field(base)?.columns.first { $0.name == column }
    default: nil
    }
  }

  /// `group.field`, in the only row of a message of Protocol Buffers; nil: it is something else.
  func firstCell(_ base: ExpressionSyntax, column: String) throws(TextError) -> Typed? {
    guard field(base)?.isSingle == true, Expression.Function(rawValue: column) == nil else { return nil }
    let group = try check(base)
    guard case .group(let columns) = group.type,
      let position = columns.firstIndex(where: { $0.name == column })
    else { return nil }
    let type = columns[position].type
    let row = Expression.constant(.integer(0))
    return (.groupCell(group: group.expression, row: row, column: position, type), type)
  }

  /// `state`, `origin`, `reason`, `tx` and `rx` must be compared with one of their possible values.
  func checkWord(_ known: Expression, _ other: Expression, at range: Range<Int>) throws(TextError) {
    try checkName(known, other, at: range)
    guard case .known(let known) = known, case .constant(.text(let word)) = other else { return }
    switch known {
    case .state where !scope.states.contains(word):
      if scope.lacksStates { throw consequence(of: word, at: range) }
      throw TextError(.unknownState(word, known: scope.states), range)
    case .origin where !scope.origins.contains(word):
      throw TextError(.unknownOrigin(word, known: scope.origins), range)
    case .reason where scope.reasons.isOfDisconnection && word == KnownValue.unknownReason:
      scope.record.noteUnknownReason()
    case .reason where !scope.reasons.contain(word):
      throw TextError(.unknownReason(word, known: scope.reasons.names, example: scope.reasons.example), range)
    case .tx where !PHY.words.contains(word), .rx where !PHY.words.contains(word):
      throw TextError(.unknownPHY(word), range)
    default: return
    }
  }

  private func rowIndex(_ index: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Expression {
    guard index.count == 1 else {
      throw TextError(.wrongIndex, range)
    }
    let number = try check(index[0])
    guard number.type == .integer else { throw mismatch(number.type, .type(.integer), index[0].range) }
    return number.expression
  }
}

extension ExpressionSyntax {
  /// `Europe/Berlin`, a text that lacks its quotes.
  fileprivate var path: String? {
    switch kind {
    case .name(let name): name
    case .binary(.divide, let parent, let child):
      parent.path.flatMap { parent in child.path.map { "\(parent)/\($0)" } }
    default: nil
    }
  }
}

extension Expression {
  /// Converts a whole number to a decimal one.
  package var asDecimal: Expression {
    if case .constant(.integer(let number)) = self { return .constant(.decimal(Double(number))) }
    return .binary(.multiply, self, .constant(.decimal(1)))
  }

  package var isConstant: Bool { if case .constant = self { true } else { false } }
}
