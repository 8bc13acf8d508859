import Framing

/// The text of a template, cut at its braces: `A5 06 {month: u8}` is a literal and a hole.
struct TemplateText {
  struct Hole {
    /// What stands before the colon, or all of it.
    var name: String
    /// What stands behind the colon.
    var encoding: String?
    /// Offsets of the two in the template's text, in Unicode scalars.
    var nameStart: Int
    var encodingStart: Int
    var range: Range<Int>
  }

  enum Part {
    case literal(String, start: Int)
    case hole(Hole)
  }

  var parts: [Part] = []

  /// Cuts a text; `{{` and `}}` stand for the braces themselves.
  init(_ text: String) throws(TextError) {
    let scalars = Array(text.unicodeScalars)
    var literal = ""
    var literalStart = 0
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let isDoubled = index + 1 < scalars.count && scalars[index + 1] == scalar
      if scalar == "{", !isDoubled {
        if !literal.isEmpty { parts.append(.literal(literal, start: literalStart)) }
        guard let end = scalars[index...].firstIndex(of: "}") else {
          throw TextError(message: "'{' has no closing '}'", range: index..<index + 1)
        }
        parts.append(.hole(try Self.hole(scalars, index..<end + 1)))
        (literal, literalStart, index) = ("", end + 1, end + 1)
      } else if scalar == "}", !isDoubled {
        throw TextError(message: "'}' without '{'", range: index..<index + 1, hint: "write '}}' for a brace")
      } else {
        literal.unicodeScalars.append(scalar)
        index += scalar == "{" || scalar == "}" ? 2 : 1
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal, start: literalStart)) }
  }

  private static func hole(_ scalars: [Unicode.Scalar], _ range: Range<Int>) throws(TextError) -> Hole {
    let inside = range.lowerBound + 1..<range.upperBound - 1
    let colon = scalars[inside].firstIndex(of: ":")
    let (name, nameStart) = trimmed(scalars, inside.lowerBound..<(colon ?? inside.upperBound))
    guard !name.isEmpty else { throw TextError(message: "nothing between the braces", range: range) }
    guard let colon else {
      return Hole(name: name, encoding: nil, nameStart: nameStart, encodingStart: nameStart, range: range)
    }
    let (encoding, start) = trimmed(scalars, colon + 1..<inside.upperBound)
    return Hole(name: name, encoding: encoding, nameStart: nameStart, encodingStart: start, range: range)
  }

  private static func trimmed(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> (String, Int) {
    let start = scalars[range].firstIndex { $0 != " " } ?? range.upperBound
    return (String(scalars: scalars[range]).trimmed, start)
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
