import Framing

/// Why a text is not YAML, or not the YAML of definitions. Cases carry facts; ``sentences`` holds the words.
enum YAMLMistake: Mistake {
  case tooLarge(bytes: Int, most: Int)
  case empty
  case secondDocument
  case nestedTooDeep(most: Int)
  /// An anchor or an alias.
  case anchor
  /// libyaml cannot read the text's characters.
  case unreadable(String)
  /// libyaml does not accept the text.
  ///
  /// - Parameters:
  ///   - problem: libyaml's description of the error.
  ///   - context: its description of the part that it was reading.
  ///   - line: the line in which it noticed.
  case invalid(problem: String, context: String?, line: String)

  // Texts that it does not accept, but whose intended meaning is clear.
  /// - Parameter endLine: the line in which another quote ends it; nil: no quote does.
  case openQuote(endLine: Int?)
  /// A quote ends the text in quotes before its end.
  case quoteInQuotes
  case openBracket(Character)
  case wrongBracket(Character, closedBy: Character)
  /// An expression with an index, in a mapping in braces.
  case unquotedIndex(String)
  case unquotedTemplate(String)
  case colonInText
  case noSpaceAfterColon(String, String)
  /// A key, or an item of a list, begins in another column than those above.
  case otherColumn(isItem: Bool)
  /// A key is in the column of a list's items.
  case keyBelowList
  /// A `+` follows a text in quotes.
  case joinedTexts
}

extension YAMLMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .tooLarge(let bytes, let most):
      (
        "the file has \(bytes) bytes",
        "blemu reads at most \(most); put large data into a CSV file under 'data'"
      )
    case .empty: ("the file is empty", "begin with 'blemu: 1'")
    case .secondDocument: ("a second document begins here", "one file describes one peripheral")
    case .nestedTooDeep(let most): ("nested more than \(most) levels deep", nil)
    case .anchor: ("anchors and aliases are not part of the language", "write the value out")
    case .unreadable(let problem): ("not readable as YAML: \(problem)", nil)
    case .invalid(let problem, let context, let line):
      (
        "not valid YAML: \(problem)",
        Self.hint(problem: problem, context: context, line: line) ?? context
      )
    case .openQuote(nil): ("the quote that begins here has no end", "close it at the end of the text")
    case .openQuote(let line?):
      ("the quote that begins here ends only in line \(line)", "close it at the end of the text")
    case .quoteInQuotes:
      ("the text in quotes ends before this", "a quote inside double quotes is written \\\"")
    case .openBracket(let bracket):
      ("the '\(bracket)' that begins here has no '\(bracket == "{" ? "}" : "]")'", "add it at the end")
    case .wrongBracket(let bracket, let found):
      ("'\(bracket)' is not closed before this '\(found)'", "add '\(bracket == "{" ? "}" : "]")'")
    case .unquotedIndex(let text):
      ("a text with '[' needs quotes here", "quote the expression: \"\(text)\"")
    case .unquotedTemplate(let text): ("a template needs quotes", "write \"\(text)\"")
    case .colonInText:
      ("a colon and a space end a key", "quote a text that contains them; a key has its own line")
    case .noSpaceAfterColon(let key, let value):
      ("there is no space after '\(key):'", "write \(key): \(value)")
    case .keyBelowList:
      ("this key begins in the column of the list above", "indent it, below the first key of its item")
    case .joinedTexts:
      ("'+' cannot follow a text in quotes", "a template has holes: \"… {name}\"; quote all of an expression")
    case .otherColumn(let isItem):
      (
        "this line begins in another column than those above",
        isItem
          ? "the items of a list begin in one column, with '- '" : "the keys of a mapping begin in one column"
      )
    }
  }

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
