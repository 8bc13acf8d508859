/// A text of a definition, with its place in the file.
package struct Scalar: Sendable {
  private let node: YAMLNode

  /// nil: the node is a list or a mapping.
  init?(_ node: YAMLNode) {
    guard case .scalar = node.content else { return nil }
    self.node = node
  }

  package var text: String { node.text ?? "" }
  package var range: SourceRange { node.range }

  /// The place of `length` Unicode scalars at `offset` in the text; all of it if that is unknown (escapes,
  /// folded lines).
  func range(at offset: Int, length: Int = 1) -> SourceRange { node.range(at: offset, length: length) }
}

/// The value read from a text of a definition, with its place in the file.
struct Located<Value> {
  var value: Value
  var range: SourceRange
}

/// A name that the author has chosen, with its value.
struct Entry<Value> {
  var key: Scalar
  var value: Value
}
