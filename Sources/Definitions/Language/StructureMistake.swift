/// A mistake in the structure of a file. Cases carry facts; ``sentences`` holds the words.
enum StructureMistake: Mistake {
  case unexpected(YAMLNode, expected: Expected)
  case outOfRange(Int, ClosedRange<Int>)
  case unknownWord(String, known: [String])
  /// - Parameter keys: those of the object that is possible in place of the word.
  case unknownWordOrObject(String, words: [String], keys: [String])
  case unknownVersion(String)
  /// The word is a key of the object that is possible in its place.
  case keyAsWord(String)
  /// A key and its value are written without a colon.
  case keyWithValueAsWord(String, String)
  /// An unknown key of an action, with a text.
  case unknownAction(String, value: String)
  /// A comma ended a text inside parentheses.
  case cutText(String)
  case noSpaceAfterColon(String, String)
  /// A text outside double quotes has an escape.
  case rawEscape(String)
  case tooMany(Int, most: Int)

  /// - Parameters:
  ///   - meant: the key that is probably meant.
  ///   - owner: another object that has the key.
  case unknownKey(String, object: String, known: [String], meant: String?, owner: String? = nil)
  /// An action or a rule has `else`.
  case elseBranch(object: String, isRule: Bool)
  case timerSection
  case missingKey(String, of: Part, summary: String? = nil)
  /// One of several keys is required.
  case missingAlternative([String], of: Part)
  /// None of the keys that determine the object's variant.
  case missingVariant(object: String, known: [String])
  /// The list or mapping under a key is empty.
  case emptyValue(key: String, summary: String)

  /// One mapping has two actions.
  case twoActions(String, String)
  /// Two keys cannot be combined.
  case conflictingKeys(String, String)
  /// The key `extended` comes from the definition that the file extends.
  case conflictingKeysOfFiles(String, String, extended: String)
  /// The variant that a word selects does not have this key.
  case keyOfOtherWord(String, word: String, under: String, known: [String])
  /// The key belongs to other variants than the object's.
  case keyOfOtherVariant(String, variant: String, owners: [String])

  /// The value that is required at a place.
  enum Expected {
    case text
    /// A text, or an object with these keys.
    case textOrObject(keys: [String])
    case integer, number
    case word([String])
    case list, key
    /// - Parameter form: the form of its keys.
    case map(TextForm)
    /// - Parameter name: with its article.
    case object(name: String, keys: [String])
  }

  /// The part that a key belongs to.
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
    case .unknownWord(let word, let known): ("unknown word '\(word)'", Self.hint(for: word, known))
    case .unknownVersion(let version):
      ("this blemu does not know version \(version) of the language", "there is only version 1: 'blemu: 1'")
    case .keyAsWord(let key): ("'\(key)' needs a value", "write { \(key): … }")
    case .keyWithValueAsWord(let key, let value):
      ("'\(key) \(value)' is one word here", "write { \(key): \(value) }")
    case .unknownWordOrObject(let word, let words, let keys):
      (
        "unknown word '\(word)'",
        Synonym.meaning(of: word, in: words + keys).map(Self.question)
          ?? Suggestion.nearest(to: word, in: words + keys).map(Self.question)
          ?? "one of \(words.joined(separator: ", ")), or a mapping with \(keys.joined(separator: ", "))"
      )
    case .unknownAction(let key, let value):
      ("an action has no key '\(key)'", "to change a setting or a variable: { set: { \(key): \(value) } }")
    case .cutText(let text):
      ("in { … } and [ … ] a comma ends a value, so this one is '\(text)'", "quote it")
    case .rawEscape(let escape):
      (
        "'\(escape)' is \(escape.count) literal characters here",
        "YAML interprets it only in double quotes: \"…\(escape)\""
      )
    case .noSpaceAfterColon(let key, let value):
      ("there is no space after '\(key):'", "write \(key): \(value)")
    case .tooMany(let count, let most):
      ("\(count) elements in one list or mapping", "at most \(most) are possible")

    case .unknownKey(let key, let object, let known, let meant, let owner):
      (
        "\(object) has no key '\(key)'",
        meant.map(Self.question) ?? owner.map { "it is a key of \($0)" }
          ?? Suggestion.hint(for: key, in: known)
      )
    case .elseBranch(let object, let isRule):
      (
        "\(object) has no 'else'",
        isRule
          ? "write another rule for the event after this one" : "write another action with the opposite 'if'"
      )
    case .timerSection:
      ("a definition has no section for timers", "an action starts one: { start: NAME, every: 1s }")
    case .missingKey(let key, let part, let summary): ("\(part.phrase) needs '\(key)'", summary)
    case .missingAlternative(let keys, let part): ("\(part.phrase) needs \(keys.quoted("or"))", nil)
    case .missingVariant(let object, let known):
      known.count == 2
        ? ("\(object) needs \(known.quoted("or"))", nil)
        : ("\(object) needs one of these keys", known.joined(separator: ", "))
    case .emptyValue(let key, let summary): ("'\(key)' is empty", summary)

    case .twoActions(let first, let second):
      (
        "'\(first)' and '\(second)' are two actions",
        "write a list: [{ \(first): … }, { \(second): … }], or '- ' lines"
      )
    case .conflictingKeys(let first, let second):
      ("'\(first)' and '\(second)' cannot be combined", "keep one of them")
    case .conflictingKeysOfFiles(let first, let second, let extended):
      (
        "'\(first)' and '\(second)' cannot be combined",
        "add '\(extended): ~' to remove the inherited key"
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

extension StructureMistake {
  private static func hint(for word: String, _ known: [String]) -> String? {
    if let meant = Synonym.meaning(of: word, in: known) { return question(meant) }
    if known.contains("true"), let boolean = BooleanText.correction(of: word) { return "write \(boolean)" }
    return Suggestion.hint(for: word, in: known)
  }

  private static func question(_ word: String) -> String { "did you mean '\(word)'?" }
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
    case .object(_, let keys):
      example(keys, node.text ?? "") ?? "a mapping with \(keys.joined(separator: ", "))"
    case .map(let form): node.text == nil ? "lines such as NAME: …, without '- '" : form.exampleOfMapping
    case .integer, .number, .word, .key: nil
    }
  }

  /// A short text in place of a mapping whose keys repeat it or explain it.
  private func example(_ keys: [String], _ text: String) -> String? {
    guard !text.isEmpty, text.count <= 40 else { return nil }
    if keys.contains("default") { return "write \(SettingText.declaration(of: text))" }
    return keys == ["min", "max"] ? "write { min: \(text), max: \(text) }" : nil
  }
}

extension TextForm {
  fileprivate var exampleOfMapping: String {
    switch self {
    case .company: "as in { 004C: \"02 15\" }: a company identifier and its bytes"
    case .uuid: "as in { FFE0: \"00 01\" }: a UUID and its bytes"
    case .adType: "as in { 24: \"17 2F\" }: a type and its bytes"
    default: "as in { NAME: … }"
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
