// What the standard library has, too, beside its regular expressions, which would make the program a megabyte larger.

extension Collection where Element: Equatable {
  /// Whether these elements stand somewhere here, one after the other.
  package func hasPart(_ part: some Collection<Element>) -> Bool {
    part.isEmpty || indices.contains { self[$0...].starts(with: part) }
  }
}

extension String {
  /// The text with another in place of each such character.
  package func replacing(_ character: Character, by text: String) -> String {
    split(separator: character, omittingEmptySubsequences: false).joined(separator: text)
  }
}
