/// A text or bytes with holes for expressions: for advertised data, attribute values, and messages without a name.
package struct ValueTemplate: Sendable {
  private let template: MessageTemplate.Inline
  /// One for each of the template's holes.
  package let expressions: [Expression]

  /// Nothing.
  package init() {
    template = MessageTemplate.Inline()
    expressions = []
  }

  /// - Parameter expressions: one for each of the template's holes, of a matching type.
  package init(_ template: MessageTemplate.Inline, filledBy expressions: [Expression]) {
    precondition(expressions.count == template.holes.count, "each hole has an expression")
    self.template = template
    self.expressions = expressions
  }

  /// The template as in the file.
  package var source: String { template.source }

  /// The form of the text between its holes.
  package var form: MessageTemplate.Form { template.form }

  /// Whether it is nothing.
  package var isEmpty: Bool { expressions.isEmpty && minimumSize == 0 }

  /// Whether it is text, or bytes of a text.
  package var isText: Bool {
    if template.form != .bytes { return true }
    return !template.holes.isEmpty
      && template.holes.allSatisfy { if case .text = $0.encoding { true } else { false } }
  }

  /// The least number of bytes.
  package var minimumSize: Int { template.minimumSize }

  /// The bytes with all holes filled, and at most `limit` of them.
  ///
  /// - Throws: ``EvaluationError`` or ``EncodingError``.
  package func render(in context: EvaluationContext, limit: Int = .max) throws -> [UInt8] {
    try template.build(expressions.map { try $0.evaluate(in: context) } as [Value?], limit: limit)
  }
}
