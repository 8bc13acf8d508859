import DeviceModel

/// A function of the definition that is read.
struct DefinedFunction: Sendable {
  let index: Int
  let name: String
  let parameters: [String]
  let text: String
}

/// Functions of the definition.
extension ExpressionChecker {
  /// The body of a function for the types of the arguments at its use.
  func apply(
    _ function: DefinedFunction, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard arguments.count == function.parameters.count else {
      throw TextError(.wrongArguments(of: function.name, parameters: function.parameters), range)
    }
    var typed: [Typed] = []
    for argument in arguments { typed.append(try check(argument)) }
    let body = try body(of: function, typed.map(\.type), at: range)
    scope.record.note(function: function.index)
    if let mistake = scope.lackOfCentral(for: body.expression, function.name) {
      throw TextError(mistake, range)
    }
    return (
      .apply(function: function.index, typed.map(\.expression), body: body.expression), body.type
    )
  }

  private func body(
    of function: DefinedFunction, _ types: [ValueType], at range: Range<Int>
  ) throws(TextError) -> Typed {
    let instance = NameRecord.FunctionInstance(
      function: function.index, types: types, nameCount: scope.values.commonCount)
    if let known = scope.record[instance] { return known }
    let inner = scope.ofFunction(function, types)
    do throws(TextError) {
      let body = try ExpressionChecker(scope: inner).check(
        ExpressionParser.parse(function.text, isName: inner.isName))
      guard body.expression.count <= Expression.largestNamed else {
        throw TextError(.expandedTooLong, range)
      }
      // Each use of a random number is a place of its own.
      if !body.expression.isRandom { scope.record[instance] = body }
      return body
    } catch {
      var failure = TextError(.failure(of: function, with: types, error), range)
      failure.isConsequence = error.isConsequence
      throw failure
    }
  }
}

extension Expression {
  fileprivate var isRandom: Bool {
    if case .random = self { true } else { operands.contains(where: \.isRandom) }
  }
}
