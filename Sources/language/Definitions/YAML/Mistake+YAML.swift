import Framing

/// Why a text is not YAML, or not the YAML of definitions.
extension Mistake {
  static func tooLargeDefinition(bytes: Int, most: Int) -> Self {
    Self(
      "the file has \(bytes) bytes",
      "blemu reads at most \(most); put large data into a CSV file under 'data'")
  }
  static let emptyDefinition = Self("the file is empty", "begin with 'blemu: 1'")
  static let secondDocument = Self("a second document begins here", "one file describes one peripheral")
  static func tooDeepYAML(most: Int) -> Self { Self("nested more than \(most) levels deep") }
  /// - Parameter isAlias: whether it is `*NAME`.
  static func anchor(isAlias: Bool) -> Self {
    Self(
      "anchors and aliases are not part of the language",
      "write the value out; quote a text that begins with '\(isAlias ? "*" : "&")'")
  }
  /// - Parameters:
  ///   - tag: `!is-on` of `if: !is-on`, which is the tag of an empty text.
  ///   - text: the text after it.
  static func tag(_ tag: String, of text: String) -> Self {
    let quotation = "quote a text that begins with '!'"
    let denied = tag == "!" ? text : text.isEmpty ? String(tag.dropFirst()) : ""
    return Self(
      "YAML takes '\(tag)' for a tag, and not for a part of the text",
      denied.first?.isLetter == true ? "write: not \(denied); \(quotation)" : quotation)
  }
  static func unreadableYAML(_ problem: String) -> Self { Self("not readable as YAML: \(problem)") }
  /// libyaml does not accept the text.
  ///
  /// - Parameters:
  ///   - problem: libyaml's description of the error.
  ///   - context: its description of the part that it was reading.
  ///   - line: the line in which it noticed.
  static func invalidYAML(problem: String, context: String?, line: String) -> Self {
    Self("not valid YAML: \(problem)", Self.hint(problem: problem, context: context, line: line) ?? context)
  }

  // Texts that it does not accept, but whose intended meaning is clear.
  /// - Parameter endLine: the line in which another quote ends it; nil: no quote does.
  /// - Parameter endLine: the line in which another quote ends it; nil: no quote does.
  static func openQuote(endLine: Int?) -> Self {
    Self(
      endLine.map { "the quote that begins here ends only in line \($0)" }
        ?? "the quote that begins here has no end", "close it at the end of the text")
  }
  static let quoteInQuotes = Self(
    "the text in quotes ends before this", "a quote inside double quotes is written \\\"")
  static func openBracket(_ bracket: Character) -> Self {
    Self("the '\(bracket)' that begins here has no '\(bracket == "{" ? "}" : "]")'", "add it at the end")
  }
  static func wrongBracket(_ bracket: Character, closedBy found: Character) -> Self {
    Self("'\(bracket)' is not closed before this '\(found)'", "add '\(bracket == "{" ? "}" : "]")'")
  }
  static func unquotedIndex(_ text: String) -> Self {
    Self("a text with '[' needs quotes here", "quote the expression: \"\(text)\"")
  }
  static func unquotedTemplate(_ text: String) -> Self {
    Self("a template needs quotes", "write \"\(text)\"")
  }
  static let colonInText = Self(
    "a colon and a space end a key", "quote a text that contains them; a key has its own line")
  static func otherColumn(isItem: Bool) -> Self {
    Self(
      "this line begins in another column than those above",
      isItem
        ? "the items of a list begin in one column, with '- '" : "the keys of a mapping begin in one column")
  }
  static let keyBelowList = Self(
    "this key begins in the column of the list above", "indent it, below the first key of its item")
  static let joinedTexts = Self(
    "'+' cannot follow a text in quotes", "a template has holes: \"… {name}\"; quote all of an expression")

  /// libyaml describes its grammar; authors of definitions think of spaces, quotes and colons.
  ///
  /// - Returns: nil if only libyaml's description is known.
  private static func hint(problem: String, context: String?, line: String) -> String? {
    if problem.hasPart("tab character") || isIndentedByTab(line) {
      return "indent with spaces, not tabs"
    }
    if let hint = byContext[context ?? ""] { return hint }
    return byProblem[problem]
  }

  private static func isIndentedByTab(_ line: String) -> Bool {
    line.prefix { $0 == " " || $0 == "\t" }.contains("\t")
  }

  private static let byContext = [
    "while parsing a flow mapping": insideBrackets,
    "while parsing a flow sequence": insideBrackets,
    "while scanning a quoted scalar": "the quote that begins here has no end",
    "while parsing a block mapping": "the keys of a mapping begin in one column",
    "while parsing a block collection": "the items of a list begin in one column, with '- '",
    "while scanning a simple key":
      "a key ends with a colon and a space; an item of a list begins with '- '",
  ]

  private static let insideBrackets = "in { … } and [ … ], quote a text that contains any of , [ ] { }"

  private static let byProblem = [
    "mapping values are not allowed in this context":
      "quote a text that contains a colon and a space; a key has its own line",
    "found character that cannot start any token": "quote a value that begins with @, ` or %",
  ]
}
