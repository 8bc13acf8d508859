import DeviceModel

/// Messages in expressions.
extension ExpressionChecker {
  /// `bytes-of(query, index: 3)`
  func message(_ arguments: [ExpressionSyntax], at range: Range<Int>) throws(TextError) -> Typed {
    guard case .name(let name)? = arguments.first?.kind else { throw TextError(.wrongBytesOf, range) }
    guard let message = scope.messages[name] else {
      if scope.isBroken(message: name) { throw consequence(of: name, at: arguments[0].range) }
      throw TextError(.unknownMessage(name, known: scope.messages.keys.sorted()), arguments[0].range)
    }
    var given: [String: Expression] = [:]
    for argument in arguments.dropFirst() {
      guard case .labelled(let field, let value) = argument.kind else {
        throw TextError(.fieldWithoutName(of: message), argument.range)
      }
      guard let declared = message.fields.first(where: { $0.name == field }) else {
        let known = message.fields.map(\.name)
        throw TextError(
          .unknownField(field, message: name, known: known, checksums: scope.checksums), argument.range)
      }
      guard given[field] == nil else { throw TextError(.doubledField(field), argument.range) }
      given[field] = try self.value(value, for: declared)
    }
    var values: [Expression?] = []
    for field in message.fields {
      if let value = given[field.name] {
        values.append(value)
      } else {
        values.append(try implied(field, of: message, at: range))
      }
    }
    return (.message(MessageReference(message), values), .bytes)
  }

  private func value(
    _ syntax: ExpressionSyntax, for field: MessageTemplate.Field
  ) throws(TextError) -> Expression {
    let typed = try check(syntax)
    if typed.type == .integer, field.valueType == .decimal { return typed.expression.asDecimal }
    guard typed.type == field.valueType else {
      throw mismatch(typed.type, .type(field.valueType), syntax.range)
    }
    if case .constant(let constant) = typed.expression {
      do { try field.check(constant) } catch {
        throw TextError(.badConstant(field: field.name, error), syntax.range)
      }
    }
    return typed.expression
  }

  /// The value of the same name, as in a message that a rule sends; nil: the field is absent.
  private func implied(
    _ field: MessageTemplate.Field, of message: MessageTemplate, at range: Range<Int>
  ) throws(TextError) -> Expression? {
    if scope.values[field.name]?.type == field.valueType, let binding = scope.use(field.name) {
      return binding.expression
    }
    if field.presence != .always { return nil }
    if scope.isBroken(field.name) { throw consequence(of: field.name, at: range) }
    throw TextError(.unfilledArgument(field.name, message: message.name), range)
  }
}
