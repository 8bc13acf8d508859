import Framing

/// Where an expression gets its values from.
package struct EvaluationContext: Sendable {
  /// One value for each of ``PeripheralDefinition/settings``.
  package var settings: [Value]
  /// The adapter's address, 6 bytes, most significant first.
  package var address: [UInt8]
  /// The fields of the received message.
  package var fields: [Value]
  package var tables: [DataTable]

  package init(settings: [Value] = [], address: [UInt8] = [], fields: [Value] = [], tables: [DataTable] = [])
  {
    self.settings = settings
    self.address = address
    self.fields = fields
    self.tables = tables
  }
}

extension Expression {
  /// The expression's value. A type that does not fit is a bug of the checker.
  package func evaluate(in context: EvaluationContext) throws(EvaluationError) -> Value {
    switch self {
    case .constant(let value): value
    case .setting(let index): context.settings[index]
    case .field(let index): context.fields[index]
    case .address: .bytes(context.address)
    case .unary(let op, let operand): try op.apply(operand.evaluate(in: context))
    case .binary(.and, let a, let b): .boolean(try a.isTrue(in: context) ? try b.isTrue(in: context) : false)
    case .binary(.or, let a, let b): .boolean(try a.isTrue(in: context) ? true : try b.isTrue(in: context))
    case .binary(let op, let a, let b): try op.apply(a.evaluate(in: context), b.evaluate(in: context))
    case .call(let function, let arguments): try function.apply(Self.values(of: arguments, in: context))
    case .cell(let table, let key, let column):
      context.tables[table].cell(key: try Self.values(of: key, in: context), column: column)
    }
  }

  /// The value of a condition.
  package func isTrue(in context: EvaluationContext) throws(EvaluationError) -> Bool {
    try evaluate(in: context) == .boolean(true)
  }

  private static func values(
    of expressions: [Expression], in context: EvaluationContext
  ) throws(EvaluationError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try expression.evaluate(in: context)) }
    return values
  }
}

extension Expression.UnaryOperator {
  fileprivate func apply(_ value: Value) throws(EvaluationError) -> Value {
    switch (self, value) {
    case (.negate, .integer(let n)): .integer(try checked(Int64(0).subtractingReportingOverflow(n)))
    case (.negate, .decimal(let n)): .decimal(-n)
    case (.not, .boolean(let flag)): .boolean(!flag)
    default: preconditionFailure("'\(rawValue)' was checked to fit \(value.type)")
    }
  }
}

extension Expression.BinaryOperator {
  fileprivate func apply(_ a: Value, _ b: Value) throws(EvaluationError) -> Value {
    switch (self, a, b) {
    case (.equal, _, _): .boolean(Self.areEqual(a, b))
    case (.notEqual, _, _): .boolean(!Self.areEqual(a, b))
    case (.add, .text(let a), .text(let b)): .text(a + b)
    case (.add, .bytes(let a), .bytes(let b)): .bytes(a + b)
    case (.divide, _, _): try divided(a.number, by: b.number)
    case (_, .integer(let a), .integer(let b)): try apply(a, b)
    case (_, .text(let a), .text(let b)): .boolean(compare(a, b))
    default: try apply(a.number, b.number)
    }
  }

  private func apply(_ a: Int64, _ b: Int64) throws(EvaluationError) -> Value {
    switch self {
    case .add: .integer(try checked(a.addingReportingOverflow(b)))
    case .subtract: .integer(try checked(a.subtractingReportingOverflow(b)))
    case .multiply: .integer(try checked(a.multipliedReportingOverflow(by: b)))
    case .divideWhole: .integer(try floorDivided(a, by: b))
    case .remainder: .integer(try floorRemainder(a, by: b))
    default: .boolean(compare(a, b))
    }
  }

  private func apply(_ a: Double, _ b: Double) throws(EvaluationError) -> Value {
    switch self {
    case .add: .decimal(a + b)
    case .subtract: .decimal(a - b)
    case .multiply: .decimal(a * b)
    case .divideWhole: try Value.whole((try nonZero(a, b) / b).rounded(.down))
    case .remainder: .decimal(try nonZero(a, b) - (a / b).rounded(.down) * b)
    default: .boolean(compare(a, b))
    }
  }

  private func compare<T: Comparable>(_ a: T, _ b: T) -> Bool {
    switch self {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    default: preconditionFailure("'\(rawValue)' is no comparison")
    }
  }

  private static func areEqual(_ a: Value, _ b: Value) -> Bool {
    a.type == b.type ? a == b : a.number == b.number
  }

  private func divided(_ a: Double, by b: Double) throws(EvaluationError) -> Value {
    .decimal(try nonZero(a, b) / b)
  }

  private func nonZero(_ a: Double, _ b: Double) throws(EvaluationError) -> Double {
    if b == 0 { throw .divisionByZero }
    return a
  }

  private func floorDivided(_ a: Int64, by b: Int64) throws(EvaluationError) -> Int64 {
    if b == 0 { throw .divisionByZero }
    let quotient = try checked(a.dividedReportingOverflow(by: b))
    return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient
  }

  /// Has the sign of the divisor, so that `a == (a // b) * b + a % b`.
  private func floorRemainder(_ a: Int64, by b: Int64) throws(EvaluationError) -> Int64 {
    if b == 0 { throw .divisionByZero }
    let remainder = a.remainderReportingOverflow(dividingBy: b).partialValue
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }
}

extension Expression.Function {
  fileprivate func apply(_ arguments: [Value]) throws(EvaluationError) -> Value {
    switch (self, arguments[0]) {
    case (.ceil, let value): try Value.whole(value, .up)
    case (.floor, let value): try Value.whole(value, .down)
    case (.round, let value): try Value.whole(value, .toNearestOrAwayFromZero)
    case (.abs, .integer(let n)): .integer(n < 0 ? try checked(Int64(0).subtractingReportingOverflow(n)) : n)
    case (.abs, let value): .decimal(value.number.magnitude)
    case (.min, _): try Self.first(of: arguments, .less)
    case (.max, _): try Self.first(of: arguments, .greater)
    case (.hex, .bytes(let bytes)): .text(HexText.format(bytes).filter { $0 != " " })
    case (.size, .bytes(let bytes)): .integer(Int64(bytes.count))
    case (.size, .text(let text)): .integer(Int64(text.utf8.count))
    case (.slice, .bytes(let bytes)): .bytes(Self.slice(bytes, arguments[1], arguments[2]))
    default: preconditionFailure("'\(rawValue)' was checked to fit its arguments")
    }
  }

  /// The number that comes before all others; a decimal as soon as one of them is.
  private static func first(
    of numbers: [Value], _ order: Expression.BinaryOperator
  ) throws(EvaluationError) -> Value {
    var first = numbers[0]
    for number in numbers.dropFirst() where try order.apply(number, first) == .boolean(true) {
      first = number
    }
    return numbers.contains { $0.type == .decimal } ? .decimal(first.number) : first
  }

  /// The bytes from an index on, `count` of them; what lies outside is left out.
  private static func slice(_ bytes: [UInt8], _ from: Value, _ count: Value) -> [UInt8] {
    guard case .integer(let from) = from, case .integer(let count) = count, count > 0 else { return [] }
    let (sum, overflow) = from.addingReportingOverflow(count)
    let inside = 0...Int64(bytes.count)
    let range = (from...(overflow ? .max : sum)).clamped(to: inside)
    return from > inside.upperBound ? [] : Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
  }
}

extension Value {
  fileprivate var number: Double {
    switch self {
    case .integer(let n): Double(n)
    case .decimal(let n): n
    default: preconditionFailure("a number was checked to stand here, not \(type)")
    }
  }

  fileprivate static func whole(
    _ value: Value, _ rule: FloatingPointRoundingRule
  ) throws(EvaluationError) -> Value {
    if case .integer = value { return value }
    return try whole(value.number.rounded(rule))
  }

  fileprivate static func whole(_ number: Double) throws(EvaluationError) -> Value {
    guard let integer = Int64(exactly: number) else { throw .overflow }
    return .integer(integer)
  }
}

private func checked(_ result: (partialValue: Int64, overflow: Bool)) throws(EvaluationError) -> Int64 {
  if result.overflow { throw .overflow }
  return result.partialValue
}
