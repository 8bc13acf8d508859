import Definitions
import DeviceModel

/// Writes checked expressions as text. The counterpart of `ExpressionParser` and `ExpressionChecker`.
struct ExpressionWriter {
  let device: PeripheralDefinition
  let names: Names

  /// The text of an expression.
  ///
  /// - Parameter type: the type that its place asks for; nil: any.
  func text(_ expression: Expression, as type: ValueType? = nil) throws(WritingError) -> String {
    try write(type == .decimal ? withoutConversion(expression) : expression).text
  }

  /// An expression as a value of a document: a number, true or false stands as it is.
  func value(_ expression: Expression, as type: ValueType? = nil) throws(WritingError) -> YAMLValue {
    let text = try text(expression, as: type)
    switch type == .decimal ? withoutConversion(expression) : expression {
    case .constant(.integer), .constant(.decimal), .constant(.boolean): return .word(text)
    default: return .text(text)
    }
  }

  /// A time: `5s`, or an expression for milliseconds.
  func duration(_ expression: Expression) throws(WritingError) -> YAMLValue {
    if case .constant(.integer(let milliseconds)) = expression {
      return .text(DurationText.write(milliseconds: milliseconds))
    }
    return .text(try text(expression))
  }

  /// A whole number in place of a decimal one, as the checker takes it there.
  private func withoutConversion(_ expression: Expression) -> Expression {
    switch expression {
    case .constant(.decimal(let number)):
      Int64(exactly: number).map { .constant(.integer($0)) } ?? expression
    case .binary(.multiply, let operand, .constant(.decimal(1))) where isInteger(operand): operand
    default: expression
    }
  }

  private func isInteger(_ expression: Expression) -> Bool {
    switch expression {
    case .setting(let index): device.settings[index].kind.valueType == .integer
    case .variable(let index): device.variables[index].kind.valueType == .integer
    case .generator(let index): device.generators[index].type == .integer
    case .field(let index): names.fields[index].valueType == .integer
    case .known(let known): known.type == .integer
    case .local(_, .integer), .byte, .handle, .argument(_, .integer): true
    default: false
    }
  }
}

// MARK: Precedence

extension ExpressionWriter {
  /// The text of an expression, and how tightly its outermost operation binds: as in `ExpressionParser`, from 0 for `or`.
  typealias Written = (text: String, level: Int)

  private static let unary = 9
  private static let postfix = 10

  /// The text of an operand, in parentheses if its operation binds less tightly than it must.
  private func operand(_ expression: Expression, _ level: Int) throws(WritingError) -> String {
    let written = try write(expression)
    return written.level < level ? "(\(written.text))" : written.text
  }

  private func write(_ expression: Expression) throws(WritingError) -> Written {
    if let name = names.name(of: expression) { return (name, Self.postfix) }
    switch expression {
    case .constant(let value): return try constant(value)
    case .unary(.negate, let inner): return ("-" + (try operand(inner, Self.unary)), Self.unary)
    case .unary(.not, let inner):
      return ("not " + (try operand(inner, Expression.BinaryOperator.equal.level)), Expression.notLevel)
    case .binary(let op, let left, let right): return try binary(op, left, right)
    default: return (try postfix(expression), Self.postfix)
    }
  }

  private func binary(
    _ op: Expression.BinaryOperator, _ left: Expression, _ right: Expression
  ) throws(WritingError) -> Written {
    let level = op.level
    // `not a == b` is `not (a == b)`.
    let isNot = if case .unary(.not, _) = left { true } else { false }
    let first = try operand(left, isNot && level >= Expression.notLevel ? level + 1 : level)
    return ("\(first) \(op.rawValue) \(try operand(right, level + 1))", level)
  }

  private func postfix(_ expression: Expression) throws(WritingError) -> String {
    switch expression {
    case .isSubscribed(let index): return "subscribed(\(Self.id(device.characteristics[index].id)))"
    case .handle(let owner): return "handle(\(Self.id(device.name(of: owner))))"
    case .named(let question, let arguments, _): return try call(question.rawValue, arguments)
    case .call(.size, let arguments) where names.name(of: arguments[0]) != nil:
      return try operand(arguments[0], Self.postfix) + ".size"
    case .cryptography(let function, let arguments): return try call(function.rawValue, arguments)
    case .call(let function, let arguments): return try call(function.rawValue, arguments)
    case .conditional(let condition, let first, let second):
      return try call("if", [condition, first, second])
    case .apply(let function, let arguments, _):
      return try call(device.functions[function].name, arguments)
    case .random(let least, let most, _): return try call("random", [least, most])
    case .randomBytes(let count, _): return try call("random-bytes", [count])
    case .encoded(let encoding, let number):
      guard let name = encoding.numberName else { throw .noName(expression) }
      return try call(name, [number])
    case .decoded(let encoding, let bytes, let index):
      guard let name = encoding.numberName else { throw .noName(expression) }
      return try call(name, [bytes, index])
    case .message(let message, let values): return try self.message(message.template, values)
    case .checksum(let checksum, let bytes, let earlier):
      return try call(checksum.name, [bytes] + (earlier.map { [$0] } ?? []))
    case .byte(let bytes, let index): return try operand(bytes, Self.postfix) + "[\(try text(index))]"
    case .cell, .rows, .rowCount, .groupCell: return try data(expression)
    default: throw .noName(expression)
    }
  }

  private func call(_ name: String, _ arguments: [Expression]) throws(WritingError) -> String {
    "\(name)(\(try list(arguments)))"
  }

  private func message(_ message: MessageTemplate, _ values: [Expression?]) throws(WritingError) -> String {
    var arguments = [message.name]
    for case (let field, let value?) in zip(message.fields, values) {
      arguments.append("\(field.name): \(try text(value))")
    }
    return "bytes-of(\(arguments.joined(separator: ", ")))"
  }

  private func list(_ expressions: [Expression]) throws(WritingError) -> String {
    var texts: [String] = []
    for expression in expressions { texts.append(try text(expression)) }
    return texts.joined(separator: ", ")
  }

  /// The id of an attribute, in quotes unless it is a name.
  private static func id(_ id: String) -> String { Identifier.isValid(id) ? id : "'\(id)'" }
}

// MARK: Data

extension ExpressionWriter {
  private func data(_ expression: Expression) throws(WritingError) -> String {
    switch expression {
    case .cell(let table, let key, let column):
      return "\(device.tables[table].name)[\(try list(key))].\(device.tables[table].columns[column].name)"
    case .rows(let table, let key): return "\(device.tables[table].name)[\(try list(key))]"
    case .rowCount(let table): return "\(device.tables[table].name).size"
    case .groupCell(let group, let row, let column, _):
      guard let columns = columns(of: group), columns.indices.contains(column) else {
        throw .noName(expression)
      }
      return try operand(group, Self.postfix) + "[\(try text(row))].\(columns[column])"
    default: throw .noName(expression)
    }
  }

  /// The names of the columns of rows; nil where they are not known.
  private func columns(of group: Expression) -> [String]? {
    switch group {
    case .field(let index): names.fields[index].columns.map(\.name)
    case .local(_, .group(let columns)): columns.map(\.name)
    case .rows(let table, _): device.tables[table].columns.map(\.name)
    case .groupCell(_, _, _, .group(let columns)): columns.map(\.name)
    case .conditional(_, let first, _): columns(of: first)
    default: nil
    }
  }
}

// MARK: Constants

extension ExpressionWriter {
  private func constant(_ value: Value) throws(WritingError) -> Written {
    switch value {
    case .integer(.min): ("\(Int64.min + 1) - 1", Expression.BinaryOperator.subtract.level)
    case .integer(let number): ("\(number)", number < 0 ? Self.unary : Self.postfix)
    case .decimal(let number): decimal(number)
    case .text(let text): Self.text(text)
    case .bytes: ("bytes('\(value)')", Self.postfix)
    case .boolean(let flag): ("\(flag)", Self.postfix)
    case .group: throw .noText(value)
    }
  }

  private func decimal(_ number: Double) -> Written {
    let word = DecimalWord.word(for: number)
    return (
      word ?? DecimalText.write(number), number.sign == .minus && !number.isNaN ? Self.unary : Self.postfix
    )
  }

  /// Expressions have no escapes: a text with both kinds of quotes is a sum.
  private static func text(_ text: String) -> Written {
    let scalars = text.unicodeScalars
    if !scalars.contains("'") { return ("'\(text)'", postfix) }
    if !scalars.contains("\"") { return ("\"\(text)\"", postfix) }
    let parts = scalars.split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }
    return (parts.joined(separator: " + \"'\" + "), Expression.BinaryOperator.add.level)
  }
}

extension Expression {
  /// `not` takes a comparison.
  fileprivate static let notLevel = BinaryOperator.equal.level
}

extension PeripheralDefinition {
  /// The name of an attribute with a handle: `serial`, `serial/2901`.
  fileprivate func name(of owner: HandleOwner) -> String {
    switch owner {
    case .attribute(let attribute): name(of: attribute)
    case .configuration(let index): "\(characteristics[index].id)/2902"
    case .service(let index): services[index].id
    }
  }
}
