/// A mistake in how a definition extends another.
enum ExtendingMistake: Mistake {
  /// - Parameter found: the kind of value in place of the name.
  case noName(found: String)
  case unknownDefinition(String, bundled: [String])
  /// No bundled definition has this name, but a file in the same folder has it, apart from its ending.
  case noEnding(String)
  /// - Parameter chain: the names from a definition to itself.
  case circle(chain: [String])
  case tooManyDefinitions(most: Int, first: String)
  case unreadable(String)
  /// - Parameter found: the kind of value in place of a definition.
  case notDefinition(String, found: String)
  /// Nothing has the key that `removal` would remove.
  case nothingToRemove(key: String, removal: String)
}

extension ExtendingMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .noName(let found):
      (
        "expected the name of the definition to extend, found \(found)",
        "write the name of a bundled one, or of a file in the same folder"
      )
    case .unknownDefinition(let name, let bundled):
      (
        Self.unknown(name),
        Suggestion.hint(for: name, in: bundled)
          ?? "to extend a file in the same folder, write its name with '.yaml'"
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
        "'\(removal)' removes a key of the extended definition; if it is text, quote it: \"\(removal)\""
      )
    }
  }

  private static func unknown(_ name: String) -> String { "there is no bundled definition '\(name)'" }
}
