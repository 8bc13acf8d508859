import Bluetooth
import DeviceModel

/// The values of a rule's expressions, templates and messages.
extension Engine {
  mutating func value(of expression: RuleProgram.Index) throws(EvaluationError) -> Value {
    context.random.step &+= 1
    return try program.expressions[Int(expression)].evaluate(in: context)
  }

  mutating func isTrue(_ condition: RuleProgram.Index) throws(EvaluationError) -> Bool {
    try value(of: condition) == .boolean(true)
  }

  mutating func integer(of expression: RuleProgram.Index) throws(EvaluationError) -> Int64 {
    try value(of: expression).integer
  }

  mutating func bytes(of content: RuleProgram.Content) throws -> [UInt8] {
    switch content {
    case .message(let message, let sources): try build(Int(message), sources)
    case .template(let template): try render(template, limit: MessageTemplate.maximumSize)
    }
  }

  mutating func render(_ template: RuleProgram.Index, limit: Int) throws -> [UInt8] {
    context.random.step &+= 1
    return try program.templates[Int(template)].render(in: context, limit: limit)
  }

  mutating func bytes(of expression: RuleProgram.Index) throws -> [UInt8] {
    guard case .bytes(let bytes) = try value(of: expression) else {
      preconditionFailure("bytes were checked to stand here")
    }
    guard bytes.count <= MessageTemplate.maximumSize else { throw RuleFailure.tooLongFrame(bytes.count) }
    return bytes
  }

  mutating func text(of expression: RuleProgram.Index) throws(EvaluationError) -> String {
    guard case .text(let text) = try value(of: expression) else {
      preconditionFailure("a text was checked to stand here")
    }
    return text
  }

  private mutating func build(_ message: Int, _ sources: Range<RuleProgram.Index>) throws -> [UInt8] {
    var values: [Value?] = []
    swap(&values, &turn.values)
    for index in sources { values.append(try value(of: program.sources[Int(index)])) }
    let bytes = try definition.messages[message].build(values)
    while values.popLast() != nil {}
    swap(&values, &turn.values)
    return bytes
  }

  private mutating func value(of field: Rule.FieldSource) throws -> Value? {
    switch field {
    case .value(let expression):
      context.random.step &+= 1
      return try expression.evaluate(in: context)
    case .absent: return nil
    case .rows(let rows): return .group(try rows.compactMap { try row(of: $0) })
    case .repeated(let count, let index, let row, let allowed):
      context.random.step &+= 1
      let count = try count.evaluate(in: context).integer
      return .group(try repeatedRows(row, count, index: index, allowed))
    case .table(let table, let columns):
      return .group(definition.tables[table].rows.map { row in columns.map { row[$0] } })
    }
  }

  /// nil: it is left out.
  private mutating func row(of row: Rule.Row) throws -> [Value?]? {
    if let condition = row.condition {
      context.random.step &+= 1
      guard try condition.isTrue(in: context) else { return nil }
    }
    return try row.cells.map { try value(of: $0) }
  }

  /// Rows that are computed, each of which is a step.
  private mutating func repeatedRows(
    _ row: Rule.Row, _ count: Int64, index: Int, _ allowed: ClosedRange<Int>
  ) throws -> [[Value?]] {
    let possible = row.condition == nil ? allowed : 0...MessageTemplate.maximumSize
    guard let count = Int(exactly: count), possible.contains(count) else {
      throw EncodingError.rowCount(Int(clamping: count), possible)
    }
    var rows: [[Value?]] = []
    for number in 0..<count {
      try turn.countStep()
      context.event.locals[index] = .integer(Int64(number))
      if let row = try self.row(of: row) { rows.append(row) }
    }
    return rows
  }
}

extension Value {
  fileprivate var integer: Int64 {
    guard case .integer(let number) = self else { preconditionFailure("a number was checked to stand here") }
    return number
  }
}
