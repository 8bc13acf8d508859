extension Expression {
  /// Larger ones are not given a name: what uses the names of what uses names grows without end.
  static let largestNamed = 500

  /// The operations, constants and names in it.
  var count: Int { operands.reduce(1) { $0 + $1.count } }

  private var operands: [Expression] {
    switch self {
    case .constant, .setting, .field, .variable, .generator, .known, .repetition, .isSubscribed, .rowCount: []
    case .unary(_, let operand), .columns(_, let operand), .encoded(_, let operand): [operand]
    case .binary(_, let left, let right), .random(let left, let right, _): [left, right]
    case .byte(let bytes, let index): [bytes, index]
    case .groupCell(let group, let row, _, _): [group, row]
    case .conditional(let condition, let first, let second): [condition, first, second]
    case .call(_, let arguments), .cell(_, let arguments, _), .rows(_, let arguments): arguments
    }
  }
}
