/// Why a file is not well-formed XML, or is no drawing that a browser would draw, and where.
struct XMLMistake: Error {
  var mistake: Mistake
  var place: SourcePosition

  init(_ mistake: Mistake, at place: SourcePosition) { (self.mistake, self.place) = (mistake, place) }

  func diagnostic(in source: SourceText) -> Diagnostic {
    Diagnostic(mistake, at: source.range(line: place.line, column: place.column))
  }
}

/// Mistakes of a drawing.
extension Mistake {
  static let emptyDrawing = Self("the file is empty", beginning)
  static let noElement = Self("the file has no '<svg>'", beginning)
  static func otherRoot(_ name: String) -> Self { Self("the file begins with '<\(name)>', not with '<svg>'") }
  static func noNamespace(_ name: String, _ space: String) -> Self {
    Self("without '\(name)', a browser does not recognize the file as SVG", "write \(name)=\"\(space)\"")
  }
  static func secondRoot(_ name: String) -> Self {
    Self(
      "'<\(name)>' comes after the end of the drawing",
      "an SVG has one root element, which contains all others")
  }
  static let textOutside = Self("there is text outside '<svg>'")
  static func closesOther(_ name: String, _ open: String, line: Int) -> Self {
    Self("'</\(name)>' closes '<\(open)>' of line \(line)", "close '<\(open)>' first")
  }
  static func closesNothing(_ name: String) -> Self { Self("'</\(name)>' closes nothing") }
  static func neverClosed(_ name: String) -> Self {
    Self("'<\(name)>' is never closed", "write '</\(name)>' after what it holds")
  }
  static let openTag = Self("this tag has no end", "write '>' after it")
  static let namelessElement = Self("no element begins here", "write '&lt;' for the character")
  static let noSpaceBefore = Self("a space is missing before this")
  static let namelessAttribute = Self("this attribute has no name")
  static func noAttributeValue(_ name: String) -> Self {
    Self("the attribute '\(name)' has no value", "XML needs one, as in \(name)=\"1\"")
  }
  static func noAttributeQuotes(_ name: String) -> Self {
    Self("the value of '\(name)' has no quotes", "XML needs them, as in \(name)=\"1\"")
  }
  static let openAttributeValue = Self("this value has no end", "close the quote")
  static func secondAttributeOfElement(_ name: String) -> Self {
    Self("a second '\(name)'", "an element has it once")
  }
  static func lessThanInAttribute(_ name: String) -> Self {
    Self("'<' in the value of '\(name)'", "write '&lt;', or close the quote")
  }
  static let ampersand = Self(
    "'&' does not begin a character that XML knows", "write '&amp;' for the character")
  static func unknownPrefix(_ prefix: String, _ name: String) -> Self {
    Self("the prefix of '\(name)' is not declared", "declare xmlns:\(prefix) in '<svg>'")
  }
  static func missingEnd(_ end: String) -> Self { Self("'\(end)' is missing", "this begins here") }

  private static let beginning =
    "begin with <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 320\">"
}
