import Framing

// Stands in until the templates are complete.
extension MessageTemplate.Field {
  var valueType: ValueType { encoding.valueType }
  var isOptional: Bool { false }

  func check(_ expression: Expression, _ text: String) throws(TextError) {
    guard case .constant(let value) = expression else { return }
    var bytes: [UInt8] = []
    do { try encoding.encode(value, into: &bytes) } catch {
      throw TextError(message: "'\(name)': \(error)", range: 0..<text.unicodeScalars.count)
    }
  }
}

extension MessageTemplate {
  func covers(_ other: MessageTemplate) -> Bool { source == other.source }
  var minimumSize: Int { size ?? 0 }

  package func build(_ values: [Value?]) throws(EncodingError) -> [UInt8] {
    try build(values.compactMap { $0 })
  }
}

extension DefinitionDecoder {
  func anonymousMessage(_ node: YAMLNode) -> Int? { nil }

  func inlineMessage(_ node: YAMLNode, in scope: NameScope) -> (Int, [Rule.FieldSource])? { nil }
}
