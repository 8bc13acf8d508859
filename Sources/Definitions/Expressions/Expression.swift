/// A checked expression: every name is resolved to a slot and every type is known to fit.
package indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// The setting with this index in ``PeripheralDefinition/settings``.
  case setting(Int)
  /// The field with this index in the received message.
  case field(Int)
  /// The adapter's address, 6 bytes, most significant first.
  case address
  case unary(UnaryOperator, Expression)
  case binary(BinaryOperator, Expression, Expression)
  case call(Function, [Expression])
  /// A cell of a data table: the row with this key; nothing (0, empty) when there is no such row.
  case cell(table: Int, key: [Expression], column: Int)

  package enum UnaryOperator: String, Sendable {
    case negate = "-"
    case not
  }

  package enum BinaryOperator: String, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/", divideWhole = "//", remainder = "%"
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case and, or
  }

  package enum Function: String, CaseIterable, Sendable {
    case ceil, floor, round, abs, min, max, hex, size, slice
  }
}

/// Why an expression has no value although it was checked: only numbers can do that.
package enum EvaluationError: Error, Hashable, Sendable {
  case overflow
  case divisionByZero
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .overflow: "a number no longer fits 64 bits"
    case .divisionByZero: "division by zero"
    }
  }
}
