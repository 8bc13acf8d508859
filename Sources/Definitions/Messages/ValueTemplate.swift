import Framing

/// A text or bytes whose holes are filled by expressions: what a device advertises, what an attribute holds, what
/// it sends without giving it a name.
package struct ValueTemplate: Sendable {
  private let template: MessageTemplate.Inline
  /// One for each of the template's holes.
  let expressions: [Expression]

  /// Nothing.
  package init() {
    template = MessageTemplate.Inline()
    expressions = []
  }

  /// No values make it shorter.
  var minimumSize: Int { template.minimumSize }

  /// The bytes with all holes filled, and at most `limit` of them.
  ///
  /// - Throws: ``EvaluationError`` or ``EncodingError``.
  package func render(in context: EvaluationContext, limit: Int = .max) throws -> [UInt8] {
    try template.build(expressions.map { try $0.evaluate(in: context) }, limit: limit)
  }
}

extension ValueTemplate {
  /// Reads hex bytes with holes: `48 4D {address} {battery: u8}`.
  static func bytes(_ template: String, in scope: NameScope) throws(TextError) -> ValueTemplate {
    try ValueTemplate(template, form: .bytes, in: scope)
  }

  /// Reads text with holes: `{name} of {owner}`.
  static func text(_ template: String, in scope: NameScope) throws(TextError) -> ValueTemplate {
    try ValueTemplate(template, form: .text(ignoringCase: false), in: scope)
  }

  init(_ text: String, form: MessageTemplate.Form, in scope: NameScope) throws(TextError) {
    template = try MessageTemplate.Inline(text, form: form)
    var expressions: [Expression] = []
    for hole in template.holes { expressions.append(try Self.expression(hole, form, in: scope)) }
    self.expressions = expressions
  }

  private static func expression(
    _ hole: MessageTemplate.Inline.Hole, _ form: MessageTemplate.Form, in scope: NameScope
  ) throws(TextError) -> Expression {
    let (expression, type) = try check(hole, in: scope)
    if let encoding = hole.encoding {
      guard encoding.valueType == type else {
        throw hole.mistake(
          "'\(hole.type)' takes \(encoding.valueType.phrase), '\(hole.text)' is \(type.phrase)")
      }
    } else if form == .bytes, type != .bytes, type != .text {
      throw hole.mistake(
        "\(type.phrase) has no bytes by itself", hint: "say how it is written: {\(hole.text): u8}")
    }
    return expression
  }

  private static func check(
    _ hole: MessageTemplate.Inline.Hole, in scope: NameScope
  ) throws(TextError) -> ExpressionChecker.Typed {
    do {
      return try ExpressionChecker.check(hole.text, in: scope)
    } catch {
      var error = error.shifted(by: hole.offset)
      if error.hint == nil, hole.encoding == nil,
        let name = Suggestion.nearest(to: hole.text, in: Checksum.allNames)
      {
        error.hint = "did you mean '\(name)'?"
      }
      throw error
    }
  }
}

extension MessageTemplate.Inline.Hole {
  fileprivate func mistake(_ message: String, hint: String? = nil) -> TextError {
    TextError(
      message: message, range: encoding == nil ? offset..<offset + text.unicodeScalars.count : range,
      hint: hint)
  }
}
