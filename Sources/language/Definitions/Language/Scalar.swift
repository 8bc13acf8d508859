/// A text of a definition, with its place in the file.
package final class Scalar: Sendable {
  package let text: String
  package let range: SourceRange
  private let textStart: SourcePosition?

  /// nil: the node is a list or a mapping.
  init?(_ node: YAMLNode) {
    guard let text = node.text else { return nil }
    (self.text, range, textStart) = (text, node.range, node.textStart)
  }

  /// The place of `length` Unicode scalars at `offset` in the text; all of it if that is unknown (escapes,
  /// folded lines).
  func range(at offset: Int, length: Int = 1) -> SourceRange {
    guard let textStart, !text.isEmpty else { return range }
    return SourceRange(
      line: textStart.line, column: textStart.column + offset, length: max(1, length), in: range.source)
  }
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
