import Framing

/// Cuts the text of an expression into tokens.
struct ExpressionLexer {
  enum Token: Equatable {
    case integer(Int64)
    case decimal(Double)
    case text(String)
    case name(String)
    case symbol(String)
    case end
  }

  private let scalars: [Unicode.Scalar]
  private let isName: (String) -> Bool
  private var index = 0

  /// - Parameter isName: whether a word is a name at the place of the text.
  init(_ text: String, isName: @escaping (String) -> Bool) {
    scalars = Array(text.unicodeScalars)
    self.isName = isName
  }

  /// The next token and its offsets.
  mutating func next() throws(TextError) -> (token: Token, range: Range<Int>) {
    while let scalar = peek(), scalar == " " || scalar == "\n" || scalar == "\t" { index += 1 }
    let start = index
    guard let scalar = peek() else { return (.end, start..<start) }
    let token: Token
    switch scalar {
    case "0"..."9": token = try number()
    case "'", "\"": token = try quoted(scalar)
    case _ where Self.startsName(scalar): token = .name(name())
    default: token = try symbol()
    }
    return (token, start..<index)
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    scalars.indices.contains(index + ahead) ? scalars[index + ahead] : nil
  }

  private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    while let scalar = peek(), condition(scalar) { index += 1 }
    return String(scalars: scalars[start..<index])
  }

  private mutating func number() throws(TextError) -> Token {
    let start = index
    var text = take { Self.isDigit($0) || Self.isLetter($0) || $0 == "_" }
    if peek() == ".", let after = peek(1), Self.isDigit(after) {
      index += 1
      text += "." + take { Self.isDigit($0) || Self.isLetter($0) }
      let isPlain = text.unicodeScalars.allSatisfy { Self.isDigit($0) || $0 == "." }
      if isPlain, let number = Double(text) { return .decimal(number) }
    }
    // `1d` may be meant as hex.
    if !text.allSatisfy(\.isHexDigit), let milliseconds = DurationText.parse(text) {
      return .integer(Int64(milliseconds))
    }
    let digits = text.filter { $0 != "_" }
    let value = digits.hasPrefix("0x") ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
    guard let value else {
      throw TextError(.notANumber(text), start..<index)
    }
    return .integer(value)
  }

  private mutating func quoted(_ quote: Unicode.Scalar) throws(TextError) -> Token {
    let start = index
    index += 1
    let text = take { $0 != quote }
    guard peek() == quote else {
      throw TextError(.openQuotation(quote), start..<index)
    }
    index += 1
    return .text(text)
  }

  /// Names are kebab-case: a hyphen between a name and a letter belongs to the name. One before a digit is a minus,
  /// unless it belongs to the function of a checksum or to a name that is known: `month-1`.
  private mutating func name() -> String {
    if let name = checksumFunction() ?? nameWithNumber() { return name }
    var name = take { Self.isLetter($0) || Self.isDigit($0) || $0 == "_" }
    while peek() == "-", let after = peek(1), Self.isLetter(after) {
      index += 1
      name += "-" + take { Self.isLetter($0) || Self.isDigit($0) || $0 == "_" }
    }
    return name
  }

  private mutating func checksumFunction() -> String? {
    let word = scalars[index...].prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == "-" }
    guard word.endIndex < scalars.endIndex, scalars[word.endIndex] == "(", word.contains("-") else {
      return nil
    }
    let name = String(scalars: word)
    guard Checksum.named(name) != nil else { return nil }
    index = word.endIndex
    return name
  }

  /// The longest known name here that has a digit after a hyphen.
  private mutating func nameWithNumber() -> String? {
    var word = scalars[index...].prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == "_" || $0 == "-" }
    while let hyphen = word.lastIndex(of: "-") {
      let hasNumber = zip(word, word.dropFirst()).contains { $0 == "-" && Self.isDigit($1) }
      if hasNumber, isName(String(scalars: word)) {
        defer { index = word.endIndex }
        return String(scalars: word)
      }
      word = word[..<hyphen]
    }
    return nil
  }

  private mutating func symbol() throws(TextError) -> Token {
    for (foreign, own) in Self.foreignOperators where scalars[index...].starts(with: foreign.unicodeScalars) {
      throw TextError(.foreignOperator(foreign, own: own), index..<index + foreign.count)
    }
    for symbol in Self.symbols where scalars[index...].starts(with: symbol.unicodeScalars) {
      index += symbol.unicodeScalars.count
      return .symbol(symbol)
    }
    throw TextError(.unexpectedCharacter(scalars[index]), index..<index + 1)
  }

  /// Comparisons of other languages.
  private static let foreignOperators = [
    ("===", "=="), ("!==", "!="), ("<>", "!="), ("=<", "<="), ("=>", ">="), ("~=", "!="),
  ]

  private static let symbols = [
    "&&", "||", "//", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^",
    "(", ")", "[",
    "]", ",", ".",
  ]

  private static func startsName(_ scalar: Unicode.Scalar) -> Bool { isLetter(scalar) || scalar == "_" }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
