import Framing

/// Writes values as the text of a document.
package enum YAMLEmitter {
  /// The longest line of a mapping or a list that may be a block as well.
  private static let width = 110

  /// The text of a document.
  package static func write(_ value: YAMLValue) -> String {
    block(value, column: 0).map { $0 + "\n" }.joined()
  }

  /// A value in one line, as it stands between braces or brackets. It has no comments there.
  package static func inline(_ value: YAMLValue) -> String {
    switch value {
    case .word(let word): word
    case .text(let text): YAMLScalar.write(text, isInFlow: true)
    case .quoted(let text): QuotedText.write(text)
    case .object(let entries, _), .map(let entries, _):
      entries.isEmpty ? "{}" : "{ \(entries.map { pair($0, of: value) }.joined(separator: ", ")) }"
    case .list(let elements, _): "[\(elements.map(inline).joined(separator: ", "))]"
    case .commented(let value, _): inline(value)
    }
  }

  private static func pair(_ entry: YAMLValue.Entry, of mapping: YAMLValue) -> String {
    "\(key(entry.key, of: mapping, isInFlow: true)): \(inline(entry.value))"
  }

  private static func key(_ key: String, of mapping: YAMLValue, isInFlow: Bool) -> String {
    if case .object = mapping { key } else { YAMLScalar.write(key, isInFlow: isInFlow) }
  }
}

// MARK: Blocks

extension YAMLEmitter {
  /// The lines of a value.
  ///
  /// - Parameter column: where they will begin.
  private static func block(_ value: YAMLValue, column: Int) -> [String] {
    if let lines = wrapped(value, column: column) { return lines }
    return switch value {
    case .word, .text, .quoted: [line(value)]
    case .object(let entries, _), .map(let entries, _): entries.flatMap { lines(of: $0, in: value, column) }
    case .list(let elements, _): elements.flatMap { lines(of: $0, column) }
    case .commented(let value, let comment): commented(block(value, column: column), comment)
    }
  }

  /// The fewest scalars that share lines.
  private static let fewestShared = 8

  /// A long list or mapping of scalars, between braces or brackets with several of them in each line; nil: it is another value.
  private static func wrapped(_ value: YAMLValue, column: Int) -> [String]? {
    let (parts, open, close): ([String], String, String)
    switch value {
    case .object(let entries, .compact), .map(let entries, .compact):
      guard entries.allSatisfy(\.value.isScalar) else { return nil }
      (parts, open, close) = (entries.map { pair($0, of: value) }, "{", "}")
    case .list(let elements, .compact):
      guard elements.allSatisfy(\.isScalar) else { return nil }
      (parts, open, close) = (elements.map(inline), "[", "]")
    default: return nil
    }
    guard parts.count >= fewestShared else { return nil }
    var lines = [open]
    for (index, part) in parts.enumerated() {
      let part = part + (index == parts.count - 1 ? " \(close)" : ",")
      let isFirst = lines.count == 1 && lines[0] == open
      if isFirst || column + lines[lines.count - 1].count + 1 + part.count <= width {
        lines[lines.count - 1] += " " + part
      } else {
        lines.append("  " + part)
      }
    }
    return lines
  }

  private static func lines(
    of entry: YAMLValue.Entry, in mapping: YAMLValue, _ column: Int
  ) -> [String] {
    let start = key(entry.key, of: mapping, isInFlow: false) + ":"
    if let line = fitting(entry.value, after: column + start.count + 1) { return ["\(start) \(line)"] }
    return [start] + block(entry.value, column: column + 2).map { "  " + $0 }
  }

  /// An element of a list: its first line follows the hyphen.
  private static func lines(of element: YAMLValue, _ column: Int) -> [String] {
    if case .commented(let value, let comment) = element {
      return commented(lines(of: value, column), comment)
    }
    let lines = fitting(element, after: column + 2).map { [$0] } ?? block(element, column: column + 2)
    return lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
  }

  private static func commented(_ lines: [String], _ comment: String) -> [String] {
    [lines[0] + self.comment(comment)] + lines.dropFirst()
  }

  private static func comment(_ text: String) -> String { "  # \(VisibleText.escape(text))" }

  /// The value in the rest of a line; nil: it needs a block.
  private static func fitting(_ value: YAMLValue, after start: Int) -> String? {
    guard !value.isEmpty else { return inline(value) }
    switch value {
    case .word, .text, .quoted: return line(value)
    case .object(_, .block), .map(_, .block), .list(_, .block): return nil
    case .object(_, .flow), .map(_, .flow), .list(_, .flow): return inline(value)
    case .object, .map, .list:
      let line = inline(value)
      return start + line.count <= width && !value.hasBlock ? line : nil
    case .commented(let value, let comment):
      return fitting(value, after: start).map { $0 + self.comment(comment) }
    }
  }

  /// A scalar outside of braces and brackets.
  private static func line(_ value: YAMLValue) -> String {
    if case .text(let text) = value { YAMLScalar.write(text, isInFlow: false) } else { inline(value) }
  }
}

extension YAMLValue {
  fileprivate var isScalar: Bool {
    switch self {
    case .word, .text, .quoted: true
    default: false
    }
  }

  /// Whether a part of it is a block.
  fileprivate var hasBlock: Bool {
    switch self {
    case .word, .text, .quoted: false
    case .object(let entries, let layout), .map(let entries, let layout):
      (layout == .block && !entries.isEmpty) || entries.contains { $0.value.hasBlock }
    case .list(let elements, let layout):
      (layout == .block && !elements.isEmpty) || elements.contains(where: \.hasBlock)
    case .commented(let value, _): value.hasBlock
    }
  }
}
