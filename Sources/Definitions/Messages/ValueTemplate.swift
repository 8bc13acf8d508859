import Bluetooth
import Framing

/// A text or bytes whose holes are filled from settings: what a device advertises, what an attribute holds.
package struct ValueTemplate: Sendable {
  package enum Part: Sendable {
    case literal([UInt8])
    /// An expression's value; nil: bytes or text as they are.
    case value(Expression, FieldEncoding?)
    /// An expression's value as a person reads it: bytes in hex.
    case text(Expression)
  }

  package var parts: [Part]

  package init(_ parts: [Part] = []) {
    self.parts = parts
  }

  /// The bytes with all holes filled.
  ///
  /// - Throws: ``EvaluationError`` or ``EncodingError``.
  package func render(in context: EvaluationContext) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let literal): bytes += literal
      case .value(let expression, let encoding?):
        try encoding.encode(expression.evaluate(in: context), into: &bytes)
      case .value(let expression, nil):
        switch try expression.evaluate(in: context) {
        case .bytes(let value): bytes += value
        case let value: bytes += value.description.utf8
        }
      case .text(let expression): bytes += try expression.evaluate(in: context).description.utf8
      }
    }
    return bytes
  }
}

extension ValueTemplate {
  /// Reads hex bytes with holes: `48 4D {address} {battery: u8}`.
  static func bytes(_ template: String, in scope: NameScope) throws(TextError) -> ValueTemplate {
    var value = ValueTemplate()
    for part in try TemplateText(template).parts {
      switch part {
      case .literal(let text, let start):
        value.parts.append(.literal(try HexLiteral.parse(text, start: start)))
      case .hole(let hole): value.parts.append(try Self.part(hole, in: scope, bytesOnly: true))
      }
    }
    return value
  }

  /// Reads text with holes: `{name} of {owner}`.
  static func text(_ template: String, in scope: NameScope) throws(TextError) -> ValueTemplate {
    var value = ValueTemplate()
    for part in try TemplateText(template).parts {
      switch part {
      case .literal(let text, _): value.parts.append(.literal(Array(text.utf8)))
      case .hole(let hole): value.parts.append(try Self.part(hole, in: scope, bytesOnly: false))
      }
    }
    return value
  }

  private static func part(
    _ hole: TemplateText.Hole, in scope: NameScope, bytesOnly: Bool
  ) throws(TextError) -> Part {
    let typed: ExpressionChecker.Typed
    do {
      typed = try ExpressionChecker.check(hole.name, in: scope)
    } catch {
      throw error.shifted(by: hole.nameStart)
    }
    guard hole.encoding != nil else {
      guard bytesOnly else { return .text(typed.expression) }
      if typed.type != .bytes, typed.type != .text {
        throw TextError(
          message: "\(typed.type.phrase) has no bytes by itself", range: hole.nameRange,
          hint: "say how it is written: {\(hole.name): u8}")
      }
      return .value(typed.expression, nil)
    }
    let encoding = try hole.fieldEncoding()
    guard encoding.valueType == typed.type else {
      throw TextError(
        message:
          "'\(hole.encoding ?? "")' takes \(encoding.valueType.phrase), '\(hole.name)' is \(typed.type.phrase)",
        range: hole.range)
    }
    return .value(typed.expression, encoding)
  }
}
