import Definitions

/// Splits a line of a transcript into words. A `#` after a space begins a comment.
struct Lexer {
  private let scalars: [Unicode.Scalar]
  private let line: Int
  private var index = 0

  /// Returns the words of a line.
  ///
  /// - Parameter line: its line number, for diagnostics.
  static func tokens(of text: some StringProtocol, line: Int) throws(Diagnostic) -> [Token] {
    var lexer = Lexer(scalars: Array(text.unicodeScalars), line: line)
    var tokens: [Token] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private init(scalars: [Unicode.Scalar], line: Int) {
    self.scalars = scalars
    self.line = line
  }

  private mutating func next() throws(Diagnostic) -> Token? {
    while let scalar = peek, Self.isBlank(scalar) { index += 1 }
    let start = index
    guard let first = peek, first != "#" else { return nil }
    if first == "\"" {
      let content = try quoted()
      return token(nil, content, from: start, contentFrom: start)
    }
    let isMark = first == "="
    let word = take { $0 != "\"" && (isMark || $0 != "=") }
    guard peek == "=" else {
      if peek == "\"" { throw error(.noSpaceBeforeQuote, at: index..<index + 1) }
      return token(nil, .word(word), from: start, contentFrom: start)
    }
    index += 1
    let contentStart = index
    let content = peek == "\"" ? try quoted() : .word(take { $0 != "\"" })
    return token(word, content, from: start, contentFrom: contentStart)
  }

  private func token(
    _ name: String?, _ content: Token.Content, from start: Int, contentFrom contentStart: Int
  ) -> Token {
    Token(name: name, content: content, range: start..<index, contentRange: contentStart..<index)
  }
}

// MARK: Scalars

extension Lexer {
  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  /// Takes scalars up to the next space that is not in braces, or to the first that does not belong.
  private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    var isInBraces = false
    while let scalar = peek, isInBraces || !Self.isBlank(scalar), belongs(scalar) {
      isInBraces = scalar == "{" || (isInBraces && scalar != "}")
      index += 1
    }
    return String(scalars: scalars[start..<index])
  }

  private func error(_ mistake: Mistake, at range: Range<Int>) -> Diagnostic {
    Diagnostic(mistake, at: SourceRange(line: line, range))
  }
}

// MARK: Quoted text

extension Lexer {
  private mutating func quoted() throws(Diagnostic) -> Token.Content {
    let start = index
    var bytes: [UInt8] = []
    index += 1
    while let scalar = peek, scalar != "\"" {
      if scalar == "\\" {
        bytes.append(try escape())
      } else {
        bytes += UTF8.encode(scalar)!
        index += 1
      }
    }
    guard peek == "\"" else { throw error(.noClosingQuote, at: start..<start + 1) }
    index += 1
    if let scalar = peek, !Self.isBlank(scalar) {
      throw error(.noSpaceAfterQuote, at: index - 1..<index)
    }
    return .quoted(bytes)
  }

  private mutating func escape() throws(Diagnostic) -> UInt8 {
    let start = index
    index += 2
    switch start + 1 < scalars.count ? scalars[start + 1] : nil {
    case "r": return 0x0D
    case "n": return 0x0A
    case "t": return 0x09
    case "\\": return 0x5C
    case "\"": return 0x22
    case "x":
      let digits = String(scalars: scalars[index..<min(index + 2, scalars.count)])
      index += 2
      if digits.utf8.count == 2, digits.utf8.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) {
        return byte
      }
    default: break
    }
    throw error(.unknownEscape, at: start..<min(index, scalars.count))
  }
}

extension UInt8 {
  /// Whether it is an ASCII hexadecimal digit.
  var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}

extension SourceRange {
  /// - Parameter offsets: in the line, from 0.
  init(line: Int, _ offsets: Range<Int>) {
    self.init(line: line, column: offsets.lowerBound + 1, length: offsets.count)
  }
}
