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
    /// `base[key, key]`
    case lookup(ExpressionSyntax, [ExpressionSyntax])
  }

  var kind: Kind
  /// Unicode scalars from the beginning of the text, end excluded.
  var range: Range<Int>
}

/// A mistake inside a piece of text, by offset; becomes a ``Diagnostic`` where the text's place is known.
struct TextError: Error {
  var message: String
  var range: Range<Int>
  var hint: String?
}
