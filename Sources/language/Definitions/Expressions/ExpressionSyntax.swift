import DeviceModel

/// An expression as it was written: names not yet looked up, offsets into the text for diagnostics.
struct ExpressionSyntax {
  indirect enum Kind {
    case constant(Value)
    case name(String)
    case unary(Expression.UnaryOperator, ExpressionSyntax)
    case binary(Expression.BinaryOperator, ExpressionSyntax, ExpressionSyntax)
    /// `name(arguments)`
    case call(String, [ExpressionSyntax])
    /// `base.member` or `base.member(arguments)`
    case member(ExpressionSyntax, String, [ExpressionSyntax])
    /// `name: value`, an argument
    case labelled(String, ExpressionSyntax)
    /// `base[key, key]`
    case lookup(ExpressionSyntax, [ExpressionSyntax])
  }

  let kind: Kind
  /// Unicode scalars from the beginning of the text, end excluded.
  let range: Range<Int>
  /// The number of operations on the longest path to a constant or name: the stack that checking and evaluating need.
  let depth: Int

  init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
    depth = 1 + kind.deepest
  }
}

extension ExpressionSyntax.Kind {
  var operands: [ExpressionSyntax] {
    switch self {
    case .constant, .name: []
    case .unary(_, let operand), .labelled(_, let operand): [operand]
    case .binary(_, let left, let right): [left, right]
    case .call(_, let arguments): arguments
    case .member(let base, _, let arguments): [base] + arguments
    case .lookup(let base, let key): [base] + key
    }
  }

  /// The depth of its deepest operand.
  fileprivate var deepest: Int {
    switch self {
    case .constant, .name: 0
    case .unary(_, let operand), .labelled(_, let operand): operand.depth
    case .binary(_, let left, let right): max(left.depth, right.depth)
    case .call(_, let arguments): arguments.deepest
    case .member(let base, _, let arguments): max(base.depth, arguments.deepest)
    case .lookup(let base, let key): max(base.depth, key.deepest)
    }
  }
}

extension [ExpressionSyntax] {
  fileprivate var deepest: Int { reduce(0) { Swift.max($0, $1.depth) } }
}

/// A mistake inside a piece of text, by offset; becomes a ``Diagnostic`` where the text's place is known.
package struct TextError: Error {
  var message: String
  var range: Range<Int>
  var hint: String?
  /// Whether it follows from a mistake that is reported at another place.
  var isConsequence = false
}
