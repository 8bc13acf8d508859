/// Mistakes in the structure of a file.
extension Mistake {
  static func unexpected(_ node: YAMLNode, expected: ExpectedNode) -> Self {
    Self("expected \(expected.phrase), found \(node.kindName)", expected.hint(found: node))
  }
  static func outOfRange<Number: BinaryInteger>(
    _ number: some CustomStringConvertible, _ range: ClosedRange<Number>
  ) -> Self { Self("\(number) is not in \(range.lowerBound)…\(range.upperBound)") }
  static func unknownWord(_ word: String, known: [String]) -> Self {
    Self("unknown word '\(word)'", Self.hint(for: word, known))
  }
  /// - Parameter keys: those of the object that is possible in place of the word.
  static func unknownWordOrObject(_ word: String, words: [String], keys: [String]) -> Self {
    let all = words + keys
    let meant = Synonym.meaning(of: word, in: all) ?? Suggestion.nearest(to: word, in: all)
    return Self(
      "unknown word '\(word)'",
      meant.map(question)
        ?? "one of \(words.joined(separator: ", ")), or a mapping with \(keys.joined(separator: ", "))")
  }
  static func unknownVersion(_ version: String) -> Self {
    Self("this blemu does not know version \(version) of the language", "there is only version 1: 'blemu: 1'")
  }
  static func keyAsWord(_ key: String) -> Self { Self("'\(key)' needs a value", "write { \(key): … }") }
  static func keyWithValueAsWord(_ key: String, _ value: String) -> Self {
    Self("'\(key) \(value)' is one word here", "write { \(key): \(value) }")
  }
  static func unknownAction(_ key: String, value: String) -> Self {
    Self("an action has no key '\(key)'", "to change a setting or a variable: { set: { \(key): \(value) } }")
  }
  static func cutText(_ text: String) -> Self {
    Self("in { … } and [ … ] a comma ends a value, so this one is '\(text)'", "quote it")
  }
  static func cutSignature(_ text: String) -> Self {
    Self("in { … } a comma ends a name, so this one is '\(text)'", "quote it: \"\(text), …)\": …")
  }
  static func noSignature(_ text: String) -> Self {
    guard text.contains("(") else { return notName(text) }
    let name = Signature.name(in: text)
    return Self(
      "'\(text)' is not a name with parameters",
      Identifier.isValid(name) ? "as in \(name)(x) or \(name)(x, y)" : Identifier.rule)
  }
  static func noSpaceAfterColon(_ key: String, _ value: String) -> Self {
    Self("there is no space after '\(key):'", "write \(key): \(value)")
  }
  static func rawEscape(_ escape: String) -> Self {
    Self(
      "'\(escape)' is \(escape.count) literal characters here",
      "YAML interprets it only in double quotes: \"…\(escape)\"")
  }
  static func tooMany(_ count: Int, most: Int) -> Self {
    Self("\(count) elements in one list or mapping", "at most \(most) are possible")
  }

  /// - Parameters:
  ///   - meant: the key that is probably meant.
  ///   - owner: another object that has the key.
  static func unknownKey(_ key: String, object: String, known: [String], meant: String?, owner: String? = nil)
    -> Self
  {
    Self(
      "\(object) has no key '\(key)'",
      meant.map(question) ?? owner.map { "it is a key of \($0)" } ?? Suggestion.hint(for: key, in: known))
  }
  static let fragmentsAsLayer =
    "rules join and split fragments with a header, at a layer: layers: [message]"
  static func unknownKey(_ key: String, object: String, hint: String) -> Self {
    Self("\(object) has no key '\(key)'", hint)
  }
  /// What says for which central, or when, an action sends something, if an unknown key wants that.
  static func hint(forWishOfSending key: String, _ value: String) -> String? {
    if value == "central" {
      return "a characteristic with 'recipients: asker' sends its values to the central of the event alone"
    }
    return ["before", "after"].contains(key) && value == "response"
      ? "the word 'respond' says where the response goes: [{ send: … }, respond]" : nil
  }
  /// What advertises the thing that an unknown key names, if there is no key for it.
  static func hint(forAdvertising key: String) -> String? {
    switch key {
    case "flags": "other flags are a raw structure, with --on exact: raw: { \"01\": \"1A\" }"
    case "shorten-to", "shortened":
      "a shortened name is a raw structure, with --on exact: raw: { \"08\": \"{'Pad'}\" }"
    default: nil
    }
  }
  static let elseOfRule = Self(
    "a rule has no 'else'",
    "write another rule for the event after this one, or the 'if' in its actions: "
      + "do: { if: …, then: …, else: … }")
  static let elseAlone = Self(
    "'else' belongs to an action with an 'if'", "write { if: CONDITION, then: …, else: … }")
  static let elseWithoutAction = Self(
    "there is nothing to do if the condition is true", "write { if: CONDITION, then: …, else: … }")
  static func elseIf(_ key: String) -> Self {
    Self("an action has no key '\(key)'", "write else: { if: CONDITION, then: …, else: … }")
  }
  static let bodyOfNothing = Self(
    "'do' goes with 'repeat'", "after an 'if', write 'then': { if: CONDITION, then: …, else: … }")
  static func pathOfField(_ path: String) -> Self {
    let names = path.split(separator: ".")
    let fields = names.dropFirst().reversed().reduce("…") { "{ \($1): \($0) }" }
    return Self("'\(path)' is not a name", "write its fields: \(names.first ?? ""): \(fields)")
  }
  static let timerSection = Self(
    "a definition has no section for timers", "an action starts one: { start: NAME, every: 1s }")
  static func missingKey(_ key: String, of part: KeyOwner, summary: String? = nil) -> Self {
    Self("\(part.phrase) needs '\(key)'", summary)
  }
  static func missingAlternative(_ keys: [String], of part: KeyOwner) -> Self {
    Self("\(part.phrase) needs \(keys.quoted("or"))")
  }
  static func missingVariant(object: String, known: [String]) -> Self {
    known.count == 2
      ? Self("\(object) needs \(known.quoted("or"))")
      : Self("\(object) needs one of these keys", known.joined(separator: ", "))
  }
  static func emptyValue(key: String, summary: String) -> Self { Self("'\(key)' is empty", summary) }

  static func twoActions(_ first: String, _ second: String) -> Self {
    Self(
      "'\(first)' and '\(second)' are two actions",
      "write a list: [{ \(first): … }, { \(second): … }], or '- ' lines")
  }
  static func conflictingKeys(_ first: String, _ second: String) -> Self {
    Self("'\(first)' and '\(second)' cannot be combined", "keep one of them")
  }
  static func conflictingKeysOfFiles(_ first: String, _ second: String, extended: String) -> Self {
    Self("'\(first)' and '\(second)' cannot be combined", "add '\(extended): ~' to remove the inherited key")
  }
  static func keyOfOtherWord(_ key: String, word: String, under selector: String, known: [String]) -> Self {
    Self(
      "\(selector) '\(word)' has no '\(key)'",
      known.isEmpty ? nil : "it has \(known.joined(separator: ", "))")
  }
  static func keyOfOtherVariant(_ key: String, variant: String, owners: [String]) -> Self {
    let place = ["receive to": "from", "send from": "to"]["\(variant) \(key)"]
    return Self(
      "'\(key)' does not go with '\(variant)'",
      place.map { "write '\($0)'" } ?? "it goes with \(owners.quoted("or"))")
  }

  /// The value that is required at a place.
  enum ExpectedNode {
    case text
    /// A name, or a list of names.
    case names
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
  enum KeyOwner {
    /// An object, with its article.
    case object(String)
    case key(String)
    /// The variant that a word under a key selects.
    case word(String, under: String)
  }

  private static func hint(for word: String, _ known: [String]) -> String? {
    if let meant = Synonym.meaning(of: word, in: known) { return question(meant) }
    if known.contains("true"), let boolean = BooleanText.correction(of: word) { return "write \(boolean)" }
    return Suggestion.hint(for: word, in: known)
  }

  private static func question(_ word: String) -> String { "did you mean '\(word)'?" }
}

extension Mistake.ExpectedNode {
  fileprivate var phrase: String {
    switch self {
    case .text, .textOrObject: "text"
    case .names: "names"
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
    case .names: "they have no values: [\(node.entries.map { $0.key.text ?? "…" }.joined(separator: ", "))]"
    case .text: node.isFlowMapping ? "quote it: \"{…}\" is text, {…} is a mapping" : nil
    case .textOrObject(let keys): "or a mapping with \(keys.joined(separator: ", "))"
    case .list: "write [a, b], or '- ' lines"
    case .object(_, let keys):
      example(keys, node.text ?? "") ?? "a mapping with \(keys.joined(separator: ", "))"
    case .map(let form): node.text == nil ? "lines such as NAME: …, without '- '" : form.exampleOfMapping
    case .integer: IntegerText.bare(node.text ?? "").map { "write \($0), without a unit" }
    case .number, .word, .key: nil
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

extension IntegerText {
  /// The number of `256 bytes`.
  fileprivate static func bare(_ text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).trimmed
    return digits.isEmpty || unit.isEmpty || !unit.allSatisfy(\.isLetter) ? nil : String(digits)
  }
}

extension Mistake.KeyOwner {
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
