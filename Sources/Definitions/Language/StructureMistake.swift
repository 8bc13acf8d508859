/// A mistake in the structure of a file. Cases carry facts; ``sentences`` holds the words.
enum StructureMistake: Mistake {
  case unexpected(YAMLNode, expected: Expected)
  case outOfRange(Int, ClosedRange<Int>)
  case unknownWord(String, known: [String])
  /// The word is a key of the object that may stand in its place.
  case keyAsWord(String)
  case tooMany(Int, most: Int)

  case unknownKey(String, object: String, known: [String])
  case missingKey(String, of: Part, summary: String? = nil)
  /// Of several keys there must be one.
  case missingAlternative([String], of: Part)
  /// None of the keys that say what the object is.
  case missingVariant(object: String, known: [String])
  /// The list or mapping under a key is empty.
  case emptyValue(key: String, summary: String)

  /// Of two keys there may be one.
  case conflictingKeys(String, String)
  /// The key `extended` comes from the definition that the file extends.
  case conflictingKeysOfFiles(String, String, extended: String)
  /// The variant that a word selects does not have this key.
  case keyOfOtherWord(String, word: String, under: String, known: [String])
  /// The key belongs to other variants than the one that is there.
  case keyOfOtherVariant(String, variant: String, owners: [String])

  /// The value that must stand at a place.
  enum Expected {
    case text
    /// A text, or an object with these keys.
    case textOrObject(keys: [String])
    case integer, number
    case word([String])
    case list, map, key
    /// - Parameter name: with its article.
    case object(name: String, keys: [String])
  }

  /// What a key belongs to.
  enum Part {
    /// An object, with its article.
    case object(String)
    case key(String)
    /// The variant that a word under a key selects.
    case word(String, under: String)
  }
}

extension StructureMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .unexpected(let node, let expected):
      ("expected \(expected.phrase), found \(node.kindName)", expected.hint(found: node))
    case .outOfRange(let number, let range):
      ("\(number) is not in \(range.lowerBound)…\(range.upperBound)", nil)
    case .unknownWord(let word, let known): ("unknown word '\(word)'", Suggestion.hint(for: word, in: known))
    case .keyAsWord(let key): ("'\(key)' needs a value", "write { \(key): … }")
    case .tooMany(let count, let most):
      ("\(count) elements in one list or mapping", "at most \(most) are possible")

    case .unknownKey(let key, let object, let known):
      ("\(object) has no key '\(key)'", Suggestion.hint(for: key, in: known))
    case .missingKey(let key, let part, let summary): ("\(part.phrase) needs '\(key)'", summary)
    case .missingAlternative(let keys, let part): ("\(part.phrase) needs \(keys.quoted("or"))", nil)
    case .missingVariant(let object, let known):
      known.count == 2
        ? ("\(object) needs \(known.quoted("or"))", nil)
        : ("\(object) needs one of these keys", known.joined(separator: ", "))
    case .emptyValue(let key, let summary): ("'\(key)' is empty", summary)

    case .conflictingKeys(let first, let second):
      ("'\(first)' and '\(second)' exclude each other", "keep one of them")
    case .conflictingKeysOfFiles(let first, let second, let extended):
      (
        "'\(first)' and '\(second)' exclude each other",
        "write '\(extended): ~' as well, which removes what is extended"
      )
    case .keyOfOtherWord(let key, let word, let selector, let known):
      (
        "\(selector) '\(word)' has no '\(key)'",
        known.isEmpty ? nil : "it has \(known.joined(separator: ", "))"
      )
    case .keyOfOtherVariant(let key, let variant, let owners):
      ("'\(key)' does not go with '\(variant)'", "it goes with \(owners.quoted("or"))")
    }
  }
}

extension StructureMistake.Expected {
  fileprivate var phrase: String {
    switch self {
    case .text, .textOrObject: "text"
    case .integer: "a whole number"
    case .number: "a number"
    case .word(let words): "one of \(words.joined(separator: ", "))"
    case .list: "a list"
    case .map: "a mapping of names"
    case .key: "a key"
    case .object(let name, _): name
    }
  }

  fileprivate func hint(found node: YAMLNode) -> String? {
    switch self {
    case .text: node.isFlowMapping ? "quote it: \"{…}\" is text, {…} is a mapping" : nil
    case .textOrObject(let keys): "or a mapping with \(keys.joined(separator: ", "))"
    case .list: "write [a, b], or '- ' lines"
    case .object(_, let keys): "a mapping with \(keys.joined(separator: ", "))"
    case .integer, .number, .word, .map, .key: nil
    }
  }
}

extension StructureMistake.Part {
  fileprivate var phrase: String {
    switch self {
    case .object(let name): name
    case .key(let key): "'\(key)'"
    case .word(let word, let key): "\(key) '\(word)'"
    }
  }
}

extension YAMLNode {
  fileprivate var isFlowMapping: Bool {
    if case .mapping = content { range.start.line == range.end.line } else { false }
  }
}

extension [String] {
  /// `'a', 'b' or 'c'`.
  fileprivate func quoted(_ word: String) -> String {
    let names = map { "'\($0)'" }
    guard let last = names.last, count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
