/// A mistake in how a definition extends another.
enum ExtendingMistake: Mistake {
  /// - Parameter found: what stands in the place of the name.
  case noName(found: String)
  case unknownDefinition(String, bundled: [String])
  /// There is no bundled definition of this name, but a file beside this one, but for its ending.
  case noEnding(String)
  /// - Parameter chain: the names from a definition to itself.
  case circle(chain: [String])
  case tooManyDefinitions(most: Int, first: String)
  case unreadable(String)
  /// - Parameter found: what the file has in the place of a definition.
  case notDefinition(String, found: String)
  /// Nothing has the key that `removal` would remove.
  case nothingToRemove(key: String, removal: String)
}

extension ExtendingMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .noName(let found):
      (
        "expected the definition that is extended, found \(found)",
        "the name of a bundled one, or of a file beside this one"
      )
    case .unknownDefinition(let name, let bundled):
      (
        Self.unknown(name),
        Suggestion.hint(for: name, in: bundled) ?? "the name of a file beside this one ends in '.yaml'"
      )
    case .noEnding(let name): (Self.unknown(name), "did you mean '\(name).yaml'?")
    case .circle(let chain): ("a definition extends itself", chain.joined(separator: " → "))
    case .tooManyDefinitions(let most, let first):
      ("more than \(most) definitions extend one another", "the first is \(first)")
    case .unreadable(let name): ("'\(name)' cannot be read", nil)
    case .notDefinition(let name, let found): ("'\(name)' is not a definition: it is \(found)", nil)
    case .nothingToRemove(let key, let removal):
      (
        "there is no '\(key)' to remove",
        "'\(removal)' removes a key of the definition that is extended; as text it is quoted: \"\(removal)\""
      )
    }
  }

  private static func unknown(_ name: String) -> String { "there is no bundled definition '\(name)'" }
}
