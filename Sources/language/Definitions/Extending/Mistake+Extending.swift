/// Mistakes in how a definition extends another.
extension Mistake {
  /// - Parameter found: the kind of value in place of the name.
  static func noName(found: String) -> Self {
    Self(
      "expected the name of the definition to extend, found \(found)",
      "write the name of a bundled one, or of a file in the same folder")
  }
  static func unknownDefinition(_ name: String, bundled: [String]) -> Self {
    Self(
      unknown(name),
      Suggestion.hint(for: name, in: bundled)
        ?? "to extend a file in the same folder, write its name with '.yaml'")
  }
  static func noEnding(_ name: String) -> Self { Self(unknown(name), "did you mean '\(name).yaml'?") }
  /// - Parameter chain: the names from a definition to itself.
  static func circle(chain: [String]) -> Self {
    Self("a definition extends itself", chain.joined(separator: " → "))
  }
  static func tooManyDefinitions(most: Int, first: String) -> Self {
    Self("more than \(most) definitions extend one another", "the first is \(first)")
  }
  static func unreadableDefinition(_ name: String) -> Self { Self("'\(name)' cannot be read") }
  /// - Parameter found: the kind of value in place of a definition.
  static func notDefinition(_ name: String, found: String) -> Self {
    Self("'\(name)' is not a definition: it is \(found)")
  }
  static func nothingToRemove(key: String, removal: String) -> Self {
    Self(
      "there is no '\(key)' to remove",
      "'\(removal)' removes a key of the extended definition; if it is text, quote it: \"\(removal)\"")
  }

  private static func unknown(_ name: String) -> String { "there is no bundled definition '\(name)'" }
}
