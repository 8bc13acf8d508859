import Definitions

/// The words of one line, taken one after another.
struct Words {
  private var tokens: ArraySlice<Token>
  let line: Int
  /// The offset after the last word.
  private let end: Int
  private let start: Int

  init(_ tokens: [Token], line: Int) {
    self.tokens = tokens[...]
    self.line = line
    start = tokens.first?.range.lowerBound ?? 0
    end = tokens.last?.range.upperBound ?? 0
  }

  /// The offsets of all words, from the first to the last.
  var range: Range<Int> { start..<end }

  var peek: Token? { tokens.first }

  mutating func next() -> Token? { tokens.popFirst() }

  /// Takes the next word.
  ///
  /// - Parameter what: the noun for the diagnostic if there is no next word.
  mutating func next(_ what: String, hint: String? = nil) throws(Diagnostic) -> Token {
    if let token = next() { return token }
    throw missing(what, hint: hint)
  }

  /// A diagnostic that something is missing after the last word.
  func missing(_ what: String, hint: String? = nil) -> Diagnostic {
    error("\(what) is missing", at: end..<end + 1, hint: hint)
  }

  /// Checks that no word is left.
  func finish(hint: String? = nil) throws(Diagnostic) {
    if let token = peek {
      throw error("expected the end of the line", at: token.range.lowerBound..<end, hint: hint)
    }
  }

  func error(_ message: String, at range: Range<Int>, hint: String? = nil) -> Diagnostic {
    Diagnostic(.error, message, at: SourceRange(line: line, range), hint: hint)
  }
}
