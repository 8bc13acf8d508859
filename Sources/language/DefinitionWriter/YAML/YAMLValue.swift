/// A value of a YAML document that is to be written.
package indirect enum YAMLValue: Hashable, Sendable {
  /// A number, `true`, `false` or a word of the language, as it is.
  case word(String)
  /// A text, in quotes where a parser would read something else.
  case text(String)
  /// A text, always in quotes.
  case quoted(String)
  /// A mapping with keys of the language.
  case object([Entry], YAMLLayout)
  /// A mapping with keys that the author chooses.
  case map([Entry], YAMLLayout)
  case list([YAMLValue], YAMLLayout)
  /// A value with a comment at the end of its first line. Between braces and brackets it has none.
  case commented(YAMLValue, String)

  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: YAMLValue

    package init(_ key: String, _ value: YAMLValue) { (self.key, self.value) = (key, value) }
  }
}

/// How a mapping or a list is laid out.
package enum YAMLLayout: Hashable, Sendable {
  /// One line or more for each entry.
  case block
  /// Between braces or brackets if it fits in the line, else as a block.
  case compact
  /// Between braces or brackets.
  case flow
}

extension YAMLValue {
  package static func number(_ number: some BinaryInteger) -> Self { .word("\(number)") }
  package static func flag(_ flag: Bool) -> Self { .word("\(flag)") }

  /// A list in one line of texts.
  package static func texts(_ texts: [String]) -> Self { .list(texts.map { .text($0) }, .compact) }

  /// The only element, or a list of them.
  static func oneOrMore(_ elements: [YAMLValue], _ layout: YAMLLayout) -> Self {
    elements.count == 1 ? elements[0] : .list(elements, layout)
  }

  /// Whether it has no entries.
  var isEmpty: Bool {
    switch self {
    case .word, .text, .quoted: false
    case .object(let entries, _), .map(let entries, _): entries.isEmpty
    case .list(let elements, _): elements.isEmpty
    case .commented(let value, _): value.isEmpty
    }
  }
}

extension YAMLValue {
  /// The value with comments next to its parts. What has one in it becomes a block.
  ///
  /// - Parameter comments: by the paths of the parts, of keys and of indices of lists.
  func commented(_ comments: [String: String], at path: String) -> YAMLValue {
    let (own, isAround) = (comments[path], comments.keys.contains { $0.hasPrefix(path + "/") })
    guard own != nil || isAround else { return self }
    func parts(_ entries: [Entry]) -> [Entry] {
      entries.map { Entry($0.key, $0.value.commented(comments, at: "\(path)/\($0.key)")) }
    }
    let value: YAMLValue =
      switch self {
      case .object(let entries, let layout): .object(parts(entries), isAround ? .block : layout)
      case .map(let entries, let layout): .map(parts(entries), isAround ? .block : layout)
      case .list(let elements, let layout):
        .list(
          elements.enumerated().map { $1.commented(comments, at: "\(path)/\($0)") },
          isAround ? .block : layout)
      case .commented(let value, _) where own != nil: value
      case .commented(let value, let comment): .commented(value.commented(comments, at: path), comment)
      case .word, .text, .quoted: self
      }
    return own.map { .commented(value, $0) } ?? value
  }
}

extension [YAMLValue.Entry] {
  /// Adds a key, unless it has no value.
  package mutating func add(_ key: String, _ value: YAMLValue?) {
    if let value { append(YAMLValue.Entry(key, value)) }
  }
}
