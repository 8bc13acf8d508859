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
  /// - Parameter part: the part that is missing if there is no next word.
  mutating func next(_ part: @autoclosure () -> Mistake.LinePart) throws(Diagnostic) -> Token {
    if let token = next() { return token }
    throw missing(part())
  }

  /// A diagnostic that something is missing after the last word.
  func missing(_ part: Mistake.LinePart) -> Diagnostic { error(.missing(part), at: end..<end + 1) }

  /// Checks that no word is left.
  ///
  /// - Parameter form: the form of the line.
  func finish(_ form: Form? = nil) throws(Diagnostic) {
    if let token = peek { throw error(.excess(after: form), at: token.range.lowerBound..<end) }
  }

  func error(_ mistake: Mistake, at range: Range<Int>) -> Diagnostic {
    Diagnostic(mistake, at: SourceRange(line: line, range))
  }
}
