import DeviceModel

/// What the field types of messages bring to expressions.
extension ExpressionChecker {
  /// `f32le(number)`
  func encoded(
    decimal encoding: FieldEncoding, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard arguments.count == 1 else {
      throw TextError(ExpressionMistake.wrongArgumentsOfEncoding, range)
    }
    let number = try check(arguments[0])
    guard number.type.isNumber else { throw mismatch(number.type, .number, arguments[0].range) }
    let decimal = number.type == .integer ? number.expression.asDecimal : number.expression
    return try folded(.encoded(encoding, decimal), .bytes, [(decimal, .decimal)], at: range)
  }

  /// A field whose numbers have names must be compared with one of them.
  func checkName(_ field: Expression, _ other: Expression, at range: Range<Int>) throws(TextError) {
    guard case .constant(.text(let name)) = other, let known = scope.numberNames(of: field),
      !known.contains(name)
    else { return }
    throw TextError(ExpressionMistake.unknownNumberName(name, known: known), range)
  }
}
