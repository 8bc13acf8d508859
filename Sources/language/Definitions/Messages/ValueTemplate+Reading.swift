import DeviceModel

extension ValueTemplate {
  /// Reads hex bytes with holes: `48 4D {address} {battery: u8}`.
  static func bytes(_ template: String, in scope: NameScope) throws(TextError) -> ValueTemplate {
    try ValueTemplate(template, form: .bytes, in: scope)
  }

  /// Reads text with holes: `{name} of {owner}`.
  static func text(_ template: String, in scope: NameScope) throws(TextError) -> ValueTemplate {
    try ValueTemplate(template, form: .text(ignoringCase: false), in: scope)
  }

  /// Reads a template whose holes have these expressions, of the types that the text asks for.
  package init(
    _ text: String, form: MessageTemplate.Form, filledBy expressions: [Expression]
  ) throws(TextError) {
    self.init(try MessageTemplate.Inline(text, form: form), filledBy: expressions)
  }

  /// Reads a template of a form, whose expressions may use the names of a scope.
  init(_ text: String, form: MessageTemplate.Form, in scope: NameScope) throws(TextError) {
    let template = try MessageTemplate.Inline(text, form: form, checksums: scope.checksums)
    var expressions: [Expression] = []
    for hole in template.holes { expressions.append(try Self.expression(hole, form, in: scope)) }
    self.init(template, filledBy: expressions)
  }

  private static func expression(
    _ hole: MessageTemplate.Inline.Hole, _ form: MessageTemplate.Form, in scope: NameScope
  ) throws(TextError) -> Expression {
    let (expression, type) = try check(hole, in: scope)
    if let encoding = hole.encoding {
      if type == .integer, encoding.valueType == .decimal { return expression.asDecimal }
      guard encoding.valueType == type else {
        throw hole.mistake(
          .wrongValueType(
            type, expression: hole.text, fieldType: hole.type, expected: encoding.valueType))
      }
    } else if form == .bytes, type != .bytes, type != .text {
      throw hole.mistake(.untypedValue(type, expression: hole.text))
    }
    return expression
  }

  private static func check(
    _ hole: MessageTemplate.Inline.Hole, in scope: NameScope
  ) throws(TextError) -> ExpressionChecker.Typed {
    do {
      return try ExpressionChecker.check(hole.text, in: scope)
    } catch {
      if hole.encoding == nil, ["maybe", "end"].contains(hole.text), scope.values[hole.text] == nil {
        throw hole.mistake(.blockAmongExpressions)
      }
      var error = error.shifted(by: hole.offset)
      if error.hint == nil, hole.encoding == nil {
        error.hint = Mistake.checksumHint(for: hole.text, own: scope.checksums)
      }
      throw error
    }
  }
}

extension MessageTemplate.Inline.Hole {
  fileprivate func mistake(_ mistake: Mistake) -> TextError {
    TextError(mistake, encoding == nil ? offset..<offset + text.unicodeScalars.count : range)
  }
}
