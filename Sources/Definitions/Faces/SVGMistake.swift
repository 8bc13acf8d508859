/// Why a browser would not draw an SVG, and where.
struct SVGMistake: Error {
  enum Kind {
    case emptyFile
    case noElement
    case otherRoot(String)
    case noNamespace(String, String)
    case secondRoot(String)
    case textOutside
    /// The first closes the second, which begins in a line.
    case closesOther(String, String, line: Int)
    case closesNothing(String)
    case neverClosed(String)
    case openTag
    case nameless
    case noSpace
    case noName
    case noValue(String)
    case noQuotes(String)
    case openValue
    case secondAttribute(String)
    case lessThan(String)
    case ampersand
    case unknownPrefix(String, String)
    /// The end of a comment or the like.
    case missing(String)
  }

  var kind: Kind
  var place: SourcePosition

  init(_ kind: Kind, at place: SourcePosition) { (self.kind, self.place) = (kind, place) }

  func diagnostic(in source: SourceText) -> Diagnostic {
    Diagnostic(kind, at: source.range(line: place.line, column: place.column))
  }
}

extension SVGMistake.Kind: Mistake {
  private static let beginning =
    "begin with <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 320\">"

  var sentences: (message: String, hint: String?) {
    switch self {
    case .emptyFile: ("the file is empty", Self.beginning)
    case .noElement: ("the file has no '<svg>'", Self.beginning)
    case .otherRoot(let name): ("the file begins with '<\(name)>', not with '<svg>'", nil)
    case .noNamespace(let name, let space):
      ("without '\(name)', a browser does not recognize the file as SVG", "write \(name)=\"\(space)\"")
    case .secondRoot(let name):
      (
        "'<\(name)>' comes after the end of the drawing",
        "an SVG has one root element, which contains all others"
      )
    case .textOutside: ("there is text outside '<svg>'", nil)
    case .closesOther(let name, let open, let line):
      ("'</\(name)>' closes '<\(open)>' of line \(line)", "close '<\(open)>' first")
    case .closesNothing(let name): ("'</\(name)>' closes nothing", nil)
    case .neverClosed(let name): ("'<\(name)>' is never closed", "write '</\(name)>' after what it holds")
    case .openTag: ("this tag has no end", "write '>' after it")
    case .nameless: ("no element begins here", "write '&lt;' for the character")
    case .noSpace: ("a space is missing before this", nil)
    case .noName: ("this attribute has no name", nil)
    case .noValue(let name): ("the attribute '\(name)' has no value", "XML needs one, as in \(name)=\"1\"")
    case .noQuotes(let name):
      ("the value of '\(name)' has no quotes", "XML needs them, as in \(name)=\"1\"")
    case .openValue: ("this value has no end", "close the quote")
    case .secondAttribute(let name): ("a second '\(name)'", "an element has it once")
    case .lessThan(let name): ("'<' in the value of '\(name)'", "write '&lt;', or close the quote")
    case .ampersand: ("'&' does not begin a character that XML knows", "write '&amp;' for the character")
    case .unknownPrefix(let prefix, let name):
      ("the prefix of '\(name)' is not declared", "declare xmlns:\(prefix) in '<svg>'")
    case .missing(let end): ("'\(end)' is missing", "this begins here")
    }
  }
}
