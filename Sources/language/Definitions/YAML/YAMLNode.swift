/// One node of a YAML document, with its place in the file.
///
/// Scalars stay text. The code that reads `01` or `no` decides its meaning, not YAML's own rules for numbers and
/// booleans, which surprise people.
package final class YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(String)
    case sequence([YAMLNode])
    case mapping([Entry])
  }

  package struct Entry: Sendable {
    package let key: YAMLNode
    package let value: YAMLNode
  }

  package let content: Content
  package let range: SourceRange
  /// The place of a scalar's first character, if the file has exactly its text on one
  /// line. A place inside the text is then a place in the file.
  package let textStart: SourcePosition?
  /// Whether it is a scalar in double quotes, in which YAML interprets escapes such as `\r`.
  package let readsEscapes: Bool

  init(
    content: Content, range: SourceRange, textStart: SourcePosition? = nil, readsEscapes: Bool = false
  ) {
    (self.content, self.range) = (content, range)
    (self.textStart, self.readsEscapes) = (textStart, readsEscapes)
  }

  /// A node with another content in the same place.
  func with(_ content: Content) -> YAMLNode {
    YAMLNode(content: content, range: range, textStart: textStart, readsEscapes: readsEscapes)
  }

  /// The kind of this node in words.
  package var kindName: String {
    switch content {
    case .scalar(let text): text.isEmpty ? "nothing" : "'\(text)'"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension YAMLNode {
  package var text: String? {
    if case .scalar(let text) = content { text } else { nil }
  }

  package var elements: [YAMLNode] {
    if case .sequence(let nodes) = content { nodes } else { [] }
  }

  package var entries: [Entry] {
    if case .mapping(let entries) = content { entries } else { [] }
  }

  /// The value under `key`, if this is a mapping that has it.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    for entry in entries {
      if case .scalar(let text) = entry.key.content, text == key { return entry.value }
    }
    return nil
  }

  /// Whether it is YAML's null, without quotes: in a definition that extends another, it removes a key.
  package var isNull: Bool { (text == "~" || text == "null") && textStart == range.start }

  /// The place of `length` scalars at `offset` inside this scalar's text; the whole node if that is not
  /// known (escapes, folded lines).
  package func range(at offset: Int, length: Int = 1) -> SourceRange {
    guard let start = textStart, text?.isEmpty == false else { return range }
    return SourceRange(
      line: start.line, column: start.column + offset, length: max(1, length), in: range.source)
  }
}
