/// A word of a fault's text, with its place: offsets in Unicode scalars.
struct FaultWord {
  var text: String
  var range: Range<Int>
  /// Whether it is in quotes.
  var isQuoted = false
}

/// The words of a fault's text, taken one after another.
struct FaultWords {
  private var words: ArraySlice<FaultWord>
  private let end: Int
  /// An example of the part that is being read, for the hints of mistakes.
  var example: String?

  /// Splits a text at spaces that are not in double quotes.
  init(_ text: String) throws(TextError) {
    var scanner = FaultScanner(text)
    let all = try scanner.words()
    words = all[...]
    end = all.last?.range.upperBound ?? 0
  }

  var peek: FaultWord? { words.first }

  mutating func next() -> FaultWord? { words.popFirst() }

  /// Takes the next word if it is this one.
  mutating func take(_ word: String) -> Bool {
    guard let next = words.first, !next.isQuoted, next.text == word else { return false }
    words.removeFirst()
    return true
  }

  /// Takes the next word.
  ///
  /// - Parameter part: the part that is missing if there is no word.
  mutating func next(_ part: Mistake.FaultPart) throws(TextError) -> FaultWord {
    if let word = next() { return word }
    throw TextError(.missingFaultPart(part, example: example), end..<end + 1)
  }

  /// Takes a word that must be one of these.
  mutating func expect(_ allowed: String...) throws(TextError) {
    let word = try next(.word(allowed[0]))
    guard allowed.contains(word.text) else { throw unexpected(word, insteadOf: allowed) }
  }

  func unexpected(_ word: FaultWord, insteadOf allowed: [String]) -> TextError {
    TextError(.expectedWords(allowed, example: example), word.range)
  }
}

/// Splits a fault's text into words.
private struct FaultScanner {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func words() throws(TextError) -> [FaultWord] {
    var words: [FaultWord] = []
    while true {
      while index < scalars.count, Self.isBlank(scalars[index]) { index += 1 }
      guard index < scalars.count else { return words }
      words.append(scalars[index] == "\"" ? try quoted() : plain())
    }
  }

  private mutating func plain() -> FaultWord {
    let start = index
    while index < scalars.count, !Self.isBlank(scalars[index]) { index += 1 }
    return FaultWord(text: String(scalars: scalars[start..<index]), range: start..<index)
  }

  /// A backslash precedes each quote or backslash in the text.
  private mutating func quoted() throws(TextError) -> FaultWord {
    let start = index
    var text = ""
    index += 1
    while index < scalars.count, scalars[index] != "\"" {
      if scalars[index] == "\\", index + 1 < scalars.count { index += 1 }
      text.unicodeScalars.append(scalars[index])
      index += 1
    }
    guard index < scalars.count else { throw TextError(.noClosingQuote, start..<start + 1) }
    index += 1
    return FaultWord(text: text, range: start..<index, isQuoted: true)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
}
