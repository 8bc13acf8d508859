import DeviceModel
import Framing

/// Cuts the text of an expression into tokens.
struct ExpressionLexer {
  enum Token: Equatable {
    case integer(Int64)
    case decimal(Double)
    case text(String)
    case name(String)
    /// Except `and` and `or`, which are names.
    case operation(Expression.BinaryOperator)
    case symbol(String)
    case end
  }

  /// The text, in UTF-8. Only texts in quotes can have characters of several bytes.
  private let bytes: [UInt8]
  private let isName: (String) -> Bool
  private var index = 0
  /// The number of bytes before the index that continue a scalar.
  private var continuationCount = 0

  /// - Parameter isName: whether a word is a name at the place of the text.
  init(_ text: String, isName: @escaping (String) -> Bool) {
    bytes = Array(text.utf8)
    self.isName = isName
  }

  /// The number of scalars before the index.
  private var offset: Int { index - continuationCount }

  /// The next token and its offsets, in scalars.
  mutating func next() throws(TextError) -> (token: Token, range: Range<Int>) {
    while let byte = peek(), byte == UInt8(ascii: " ") || byte == 0x0A || byte == 0x09 { index += 1 }
    let start = offset
    guard let byte = peek() else { return (.end, start..<start) }
    let token: Token
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): token = try number()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): token = try quoted(byte)
    case _ where Self.isLetter(byte) || byte == UInt8(ascii: "_"): token = .name(name())
    default: token = try symbol()
    }
    return (token, start..<offset)
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    index + ahead < bytes.count ? bytes[index + ahead] : nil
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func take(while condition: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = peek(), condition(byte) { index += 1 }
    return text(start..<index)
  }

  private mutating func number() throws(TextError) -> Token {
    let start = offset
    var text = take(while: Self.isWord)
    if peek() == UInt8(ascii: "."), let after = peek(1), Self.isDigit(after) {
      index += 1
      text += "." + take { Self.isDigit($0) || Self.isLetter($0) }
      let isPlain = text.utf8.allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
      if isPlain, let number = Double(text) { return .decimal(number) }
    }
    if let number = Int64(text) { return .integer(number) }
    // `1d` may be meant as hex.
    if !text.allSatisfy(\.isHexDigit), let milliseconds = DurationText.parse(text) {
      return .integer(Int64(milliseconds))
    }
    let digits = text.filter { $0 != "_" }
    let value = digits.hasPrefix("0x") ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
    guard let value else {
      throw TextError(.notANumber(text), start..<offset)
    }
    return .integer(value)
  }

  private mutating func quoted(_ quote: UInt8) throws(TextError) -> Token {
    let start = offset
    index += 1
    let first = index
    while let byte = peek(), byte != quote {
      if byte & 0xC0 == 0x80 { continuationCount += 1 }
      index += 1
    }
    guard peek() == quote else {
      throw TextError(.openQuotation(Unicode.Scalar(quote)), start..<offset)
    }
    defer { index += 1 }
    return .text(text(first..<index))
  }

  /// Names are kebab-case: a hyphen between a name and a letter belongs to the name. One before a digit is a minus,
  /// unless it belongs to the function of a checksum or to a name that is known: `month-1`.
  private mutating func name() -> String {
    let start = index
    while let byte = peek(), Self.isWord(byte) { index += 1 }
    guard peek() == UInt8(ascii: "-") else { return text(start..<index) }
    if let name = checksumFunction(from: start) ?? nameWithNumber(from: start) { return name }
    while peek() == UInt8(ascii: "-"), let after = peek(1), Self.isLetter(after) {
      index += 1
      while let byte = peek(), Self.isWord(byte) { index += 1 }
    }
    return text(start..<index)
  }

  private mutating func checksumFunction(from start: Int) -> String? {
    let word = bytes[start...].prefix {
      Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-")
    }
    guard word.endIndex < bytes.endIndex, bytes[word.endIndex] == UInt8(ascii: "("),
      word.contains(UInt8(ascii: "-"))
    else { return nil }
    let name = text(word.indices)
    guard Checksum.named(name) != nil else { return nil }
    index = word.endIndex
    return name
  }

  /// The longest known name here that has a digit after a hyphen.
  private mutating func nameWithNumber(from start: Int) -> String? {
    var word = bytes[start...].prefix { Self.isWord($0) || $0 == UInt8(ascii: "-") }
    while let hyphen = word.lastIndex(of: UInt8(ascii: "-")) {
      let hasNumber = zip(word, word.dropFirst()).contains { $0 == UInt8(ascii: "-") && Self.isDigit($1) }
      if hasNumber, isName(text(word.indices)) {
        index = word.endIndex
        return text(word.indices)
      }
      word = word[..<hyphen]
    }
    return nil
  }

  private mutating func symbol() throws(TextError) -> Token {
    let rest = bytes[index...]
    for (foreign, own) in Self.foreignOperators where rest.starts(with: foreign.utf8) {
      throw TextError(.foreignOperator(foreign, own: own), offset..<offset + foreign.count)
    }
    for symbol in Self.symbols where symbol.first == bytes[index] {
      if let second = symbol.second, second != peek(1) { continue }
      index += symbol.second == nil ? 1 : 2
      return symbol.token
    }
    let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    throw TextError(.unexpectedCharacter(scalar), offset..<offset + 1)
  }

  /// Comparisons of other languages.
  private static let foreignOperators = [
    ("===", "=="), ("!==", "!="), ("<>", "!="), ("=<", "<="), ("=>", ">="), ("~=", "!="),
  ]

  /// A symbol of one or two characters.
  private struct Symbol {
    let first: UInt8
    let second: UInt8?
    let token: Token

    init(_ text: String) {
      let bytes = Array(text.utf8)
      first = bytes[0]
      second = bytes.count > 1 ? bytes[1] : nil
      token = Expression.BinaryOperator(rawValue: text).map(Token.operation) ?? .symbol(text)
    }
  }

  /// Those of two characters come first.
  private static let symbols = [
    "&&", "||", "//", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^",
    "(", ")", "[",
    "]", ",", ".", ":",
  ].map(Symbol.init)

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
  }
}
