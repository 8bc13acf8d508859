// The standard library has these, too, but in one module with its regular expressions, which would make the program a
// megabyte larger.

extension Collection where Element: Equatable {
  /// Whether these elements occur here in sequence.
  package func hasPart(_ part: some Collection<Element>) -> Bool {
    part.isEmpty || indices.contains { self[$0...].starts(with: part) }
  }
}

extension String {
  /// The text and spaces after it, up to a width.
  ///
  /// - Parameter gap: the least number of spaces.
  package func padded(to width: Int, gap: Int = 0) -> String {
    self + String(repeating: " ", count: max(gap, width - count))
  }

  /// The text and spaces before it, up to a width.
  package func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text with each such character replaced by `text`.
  package func replacing(_ character: Character, by text: String) -> String {
    split(separator: character, omittingEmptySubsequences: false).joined(separator: text)
  }
}
