/// The text of a template, cut at its braces: `A5 06 {month: u8}` is a literal and a hole.
struct TemplateText {
  struct Hole {
    /// The text before the last colon, or all of it.
    var name: String
    /// The text after the colon.
    var encoding: String?
    /// Offsets of the two in the template's text, in Unicode scalars.
    var nameStart: Int
    var encodingStart: Int
    var range: Range<Int>

    var nameRange: Range<Int> { nameStart..<nameStart + name.unicodeScalars.count }
  }

  enum Part {
    case literal(String, start: Int)
    case hole(Hole)
  }

  var parts: [Part] = []

  /// The most scalars of a template: enough for the longest message in hex.
  static let longestText = 16_384
  /// The most holes of a template.
  static let mostHoles = 256

  /// Cuts a text; `{{` and `}}` stand for the braces themselves.
  init(_ text: String) throws(TextError) {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count <= Self.longestText else {
      throw TextError(.tooLongTemplate(most: Self.longestText), 0..<1)
    }
    var literal: [Unicode.Scalar] = []
    var literalStart = 0
    var index = 0
    var holeCount = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let isDoubled = index + 1 < scalars.count && scalars[index + 1] == scalar
      if scalar == "{", !isDoubled {
        if !literal.isEmpty { parts.append(.literal(String(scalars: literal), start: literalStart)) }
        let end = try Self.end(ofHoleAt: index, in: scalars)
        holeCount += 1
        guard holeCount <= Self.mostHoles else {
          throw TextError(.tooManyHoles(most: Self.mostHoles), index..<end + 1)
        }
        parts.append(.hole(try Self.hole(scalars, index..<end + 1)))
        (literal, literalStart, index) = ([], end + 1, end + 1)
      } else if scalar == "}", !isDoubled {
        throw TextError(.closingBraceAlone, index..<index + 1)
      } else {
        literal.append(scalar)
        index += scalar == "{" || scalar == "}" ? 2 : 1
      }
    }
    if !literal.isEmpty { parts.append(.literal(String(scalars: literal), start: literalStart)) }
  }

  /// The index of the brace that closes a hole: the first outside quotes.
  private static func end(ofHoleAt start: Int, in scalars: [Unicode.Scalar]) throws(TextError) -> Int {
    var outside = Unquoted(scalars[(start + 1)...])
    while let index = outside.next() {
      if scalars[index] == "}" { return index }
      if scalars[index] == "{" { break }
    }
    if let quote = outside.openQuote {
      throw TextError(.openQuotation(scalars[quote]), quote..<quote + 1)
    }
    throw TextError(.openHole, start..<start + 1)
  }

  private static func hole(_ scalars: [Unicode.Scalar], _ range: Range<Int>) throws(TextError) -> Hole {
    let inside = range.lowerBound + 1..<range.upperBound - 1
    let colon = lastColon(in: scalars[inside])
    let (name, nameStart) = trimmed(scalars, inside.lowerBound..<(colon ?? inside.upperBound))
    guard !name.isEmpty else { throw TextError(.emptyHole, range) }
    guard let colon else {
      return Hole(name: name, encoding: nil, nameStart: nameStart, encodingStart: nameStart, range: range)
    }
    let (encoding, start) = trimmed(scalars, colon + 1..<inside.upperBound)
    return Hole(name: name, encoding: encoding, nameStart: nameStart, encodingStart: start, range: range)
  }

  /// The last colon outside quotes and parentheses; a type may follow it.
  static func lastColon(in scalars: ArraySlice<Unicode.Scalar>) -> Int? {
    var colon: Int?
    var depth = 0
    var outside = Unquoted(scalars)
    while let index = outside.next() {
      switch scalars[index] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case ":" where depth == 0: colon = index
      default: break
      }
    }
    return colon
  }

  private static func trimmed(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> (String, Int) {
    let start = scalars[range].firstIndex { !isBlank($0) } ?? range.upperBound
    return (String(scalars: scalars[range]).trimmed, start)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }
}

/// The indices of the scalars outside quotes.
private struct Unquoted: IteratorProtocol {
  private let scalars: ArraySlice<Unicode.Scalar>
  private var index: Int
  /// The opening quote that has no closing one.
  private(set) var openQuote: Int?

  init(_ scalars: ArraySlice<Unicode.Scalar>) {
    self.scalars = scalars
    index = scalars.startIndex
  }

  mutating func next() -> Int? {
    while index < scalars.endIndex {
      defer { index += 1 }
      if let quote = openQuote {
        if scalars[index] == scalars[quote] { openQuote = nil }
      } else if scalars[index] == "\"" || scalars[index] == "'" {
        openQuote = index
      } else {
        return index
      }
    }
    return nil
  }
}

extension TextError {
  /// The same mistake in a text that begins `offset` scalars into another.
  func shifted(by offset: Int) -> TextError {
    var error = self
    error.range = range.lowerBound + offset..<range.upperBound + offset
    return error
  }
}
