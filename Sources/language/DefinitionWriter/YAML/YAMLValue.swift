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

extension [YAMLValue.Entry] {
  /// Adds a key, unless it has no value.
  package mutating func add(_ key: String, _ value: YAMLValue?) {
    if let value { append(YAMLValue.Entry(key, value)) }
  }
}
