// What the standard library has, too, beside its regular expressions, which would make the program a megabyte larger.

extension Collection where Element: Equatable {
  /// Whether these elements stand somewhere here, one after the other.
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

  /// The text with another in place of each such character.
  package func replacing(_ character: Character, by text: String) -> String {
    split(separator: character, omittingEmptySubsequences: false).joined(separator: text)
  }
}
