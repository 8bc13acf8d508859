import DeviceModel
import Framing

/// Looks up the names of an expression and checks its types.
struct ExpressionChecker {
  typealias Typed = (expression: Expression, type: ValueType)

  let scope: NameScope

  /// The checked expression for a text.
  ///
  /// - Throws: the first mistake, by offset into the text.
  static func check(_ text: String, in scope: NameScope) throws(TextError) -> Typed {
    let typed = try ExpressionChecker(scope: scope).check(
      ExpressionParser.parse(text, isName: scope.isName))
    guard !typed.expression.isTooLarge else {
      throw TextError(.expandedTooLarge, 0..<text.unicodeScalars.count)
    }
    return typed
  }

  func check(_ syntax: ExpressionSyntax) throws(TextError) -> Typed {
    switch syntax.kind {
    case .constant(let value): (.constant(value), value.type)
    case .name(let name): try lookUp(name, at: syntax.range)
    case .unary(let op, let operand): try unary(op, operand)
    case .binary(let op, let a, let b): try binary(op, a, b, at: syntax.range)
    case .call(let name, let arguments): try call(name, arguments, at: syntax.range)
    case .member(let base, let name, let arguments): try member(base, name, arguments, at: syntax.range)
    case .labelled(let name, _): throw TextError(.nameOfArgument(name), syntax.range)
    case .lookup(let base, let index): try byte(of: base, index, at: syntax.range)
    }
  }

  /// Evaluates an operation on constants, and so finds a mistake in it.
  func folded(
    _ expression: Expression, _ type: ValueType, _ operands: [Typed], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard operands.allSatisfy(\.expression.isConstant) else { return (expression, type) }
    do {
      let value = try expression.evaluate(in: EvaluationContext(effort: scope.record.effort))
      return (value.isLarge ? expression : .constant(value), type)
    } catch {
      throw TextError(.noValue(error), range)
    }
  }

  private func lookUp(_ name: String, at range: Range<Int>) throws(TextError) -> Typed {
    if let binding = scope.use(name) {
      if let mistake = scope.lackOfCentral(for: binding.expression, name) { throw TextError(mistake, range) }
      return (binding.expression, binding.type)
    }
    if let mistake = scope.partialFields[name] { throw TextError(mistake, range) }
    if scope.isBroken(name) { throw consequence(of: name, at: range) }
    if let (_, table) = scope.tables[name] {
      throw TextError(.tableAsValue(name, keys: table.keyNames), range)
    }
    if let purpose = scope.purpose, DecimalWord.names[name] == nil {
      throw TextError(.unknownNameInChecksum(name, onlyName: purpose == .checksum ? .bytes : .frame), range)
    }
    if let known = KnownValue(rawValue: name) {
      throw TextError(.unavailable(known), range)
    }
    if name.contains("-"), scope.values[String(name.prefix { $0 != "-" })] != nil {
      throw TextError(.hyphenAfterName(name), range)
    }
    if let number = DecimalWord.names[name] { return (.constant(.decimal(number)), .decimal) }
    throw TextError(.unknownName(name, known: scope.names), range)
  }

  /// Refuses an unknown word next to a text, because the word lacks its quotes.
  private func refuseBareText(_ syntax: ExpressionSyntax) throws(TextError) {
    guard case .name(let word) = syntax.kind, scope.values[word] == nil, scope.tables[word] == nil,
      !scope.isBroken(word), KnownValue(rawValue: word) == nil
    else { return }
    let isMistyped = Suggestion.nearest(to: word, in: scope.names) != nil && !scope.states.contains(word)
    if isMistyped { return }
    throw TextError(.textWithoutQuotes(word), syntax.range)
  }

  private func unary(_ op: Expression.UnaryOperator, _ operand: ExpressionSyntax) throws(TextError) -> Typed {
    let value = try check(operand)
    switch op {
    case .negate: guard value.type.isNumber else { throw mismatch(value.type, .number, operand.range) }
    case .not:
      guard value.type == .boolean else { throw mismatch(value.type, .type(.boolean), operand.range) }
    }
    return try folded(.unary(op, value.expression), value.type, [value], at: operand.range)
  }

  private func binary(
    _ op: Expression.BinaryOperator, _ a: ExpressionSyntax, _ b: ExpressionSyntax, at range: Range<Int>
  ) throws(TextError) -> Typed {
    let left = try check(a)
    if left.type == .text { try refuseBareText(b) }
    let right = try check(b)
    guard let type = resultType(op, left.type, right.type) else {
      throw TextError(.wrongOperands(op, left.type, right.type), range)
    }
    if op == .equal || op == .notEqual {
      try checkWord(left.expression, right.expression, at: b.range)
      try checkWord(right.expression, left.expression, at: a.range)
    }
    return try folded(.binary(op, left.expression, right.expression), type, [left, right], at: range)
  }

  private func resultType(_ op: Expression.BinaryOperator, _ a: ValueType, _ b: ValueType) -> ValueType? {
    let areNumbers = a.isNumber && b.isNumber
    switch op {
    case .and, .or: return a == .boolean && b == .boolean ? .boolean : nil
    case .equal, .notEqual: return a == b || areNumbers ? .boolean : nil
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return areNumbers || (a == .text && b == .text) ? .boolean : nil
    case .add where a == b && (a == .text || a == .bytes): return a
    case .divide: return areNumbers ? .decimal : nil
    case .divideWhole: return areNumbers ? .integer : nil
    case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
      return a == .integer && b == .integer ? .integer : nil
    default: return !areNumbers ? nil : a == .integer && b == .integer ? .integer : .decimal
    }
  }

  private func call(_ name: String, _ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError)
    -> Typed
  {
    switch name {
    case "if": return try conditional(arguments, at: range)
    case "random": return try random(arguments, at: range)
    case "random-bytes": return try randomBytes(arguments, at: range)
    case "bytes-of": return try message(arguments, at: range)
    case "subscribed": return try subscribed(arguments, at: range)
    case "handle": return try handle(arguments, at: range)
    case "psm": return try psm(arguments, at: range)
    case "local-time": return try localTime(arguments, at: range)
    default: break
    }
    if let function = scope.functions[name] { return try apply(function, arguments, at: range) }
    if scope.brokenFunctions.contains(name) { throw consequence(of: name, at: range) }
    if name == "size", arguments.count == 1, let count = rowCount(of: arguments[0]) { return count }
    if let question = Expression.SettingQuestion(rawValue: name) {
      return try named(question, arguments, at: range)
    }
    if let encoding = FieldEncoding.number(named: name) {
      return try number(encoding, name, arguments, at: range)
    }
    if let checksum = Checksum.named(name, or: scope.checksums) {
      return try self.checksum(checksum, name, arguments, at: range)
    }
    if let function = Expression.CryptographicFunction(rawValue: name) {
      return try cryptography(function, arguments, at: range)
    }
    guard let function = Expression.Function(rawValue: name) else {
      let known = Self.functionNames + scope.checksums.map(\.name) + scope.functions.keys.sorted()
      throw TextError(.unknownFunction(name, known: known), range)
    }
    return try call(function, arguments, at: range)
  }

  /// `row.column` of a table, or a function of one value: `x.size` is `size(x)`.
  private func member(
    _ base: ExpressionSyntax, _ name: String, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    if case .lookup(let rows, let key) = base.kind {
      if case .name(let group) = rows.kind, scope.values[group]?.type.isGroup == true {
        return try groupCell(rows, key, column: name, at: range)
      }
      if case .member = rows.kind, try check(rows).type.isGroup {
        return try groupCell(rows, key, column: name, at: range)
      }
      return try cell(rows, key, column: name, at: range)
    }
    if arguments.isEmpty, let cell = try firstCell(base, column: name) { return cell }
    return try call(name, [base] + arguments, at: range)
  }

  /// The number of a data table's rows, if it is one.
  private func rowCount(of syntax: ExpressionSyntax) -> Typed? {
    guard case .name(let table) = syntax.kind, scope.values[table] == nil,
      let (index, _) = scope.tables[table]
    else { return nil }
    return (.rowCount(table: index), .integer)
  }

  private func cell(
    _ base: ExpressionSyntax, _ key: [ExpressionSyntax], column: String, at range: Range<Int>
  ) throws(TextError) -> Typed {
    if case .name(let name) = base.kind, scope.isBroken(name) { throw consequence(of: name, at: base.range) }
    guard case .name(let name) = base.kind, let (index, table) = scope.tables[name] else {
      throw TextError(.notATable(known: scope.tables.keys.sorted()), base.range)
    }
    guard key.count == table.keyColumns.count else {
      guard !table.keyNames.isEmpty else {
        throw TextError(.tableWithoutKey(name), range)
      }
      throw TextError(.wrongKey(table: name, keys: table.keyNames), range)
    }
    var keys: [Expression] = []
    for (part, keyColumn) in zip(key, table.keyColumns) {
      let value = try check(part)
      let expected = table.columns[keyColumn].type
      guard value.type == expected else { throw mismatch(value.type, .type(expected), part.range) }
      keys.append(value.expression)
    }
    guard let column = table.columns.firstIndex(where: { $0.name == column }) else {
      throw TextError(.unknownColumn(column, table: name, known: table.columns.map(\.name)), range)
    }
    return (.cell(table: index, key: keys, column: column), table.columns[column].type)
  }

  func consequence(of name: String, at range: Range<Int>) -> TextError {
    var error = TextError(.brokenName(name), range)
    error.isConsequence = true
    return error
  }

  func mismatch(
    _ found: ValueType, _ expected: Mistake.ExpectedType, _ range: Range<Int>
  ) -> TextError {
    TextError(.wrongType(found, expected: expected), range)
  }
}
