/// Finds the attributes of an SVG's elements. It reads as much of XML 1.0 as that takes: tags, comments, CDATA sections,
/// processing instructions and declarations.
struct SVGScanner {
  struct Attribute {
    var name: String
    var value: String
    /// Of the value's first scalar, without the quote.
    var place: SourcePosition
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var position = SourcePosition(line: 1, column: 1)
  private let id: SourceID
  private var attributes: [Attribute] = []

  private init(_ source: SourceText) {
    scalars = Array(source.text.unicodeScalars)
    id = source.id
  }

  static func attributes(of source: SourceText) throws(Diagnostic) -> [Attribute] {
    var scanner = SVGScanner(source)
    while scanner.index < scanner.scalars.count { try scanner.takeNode() }
    return scanner.attributes
  }

  /// What is not read as elements, and where it ends.
  private static let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]

  private mutating func takeNode() throws(Diagnostic) {
    guard scalars[index] == "<" else { return advance() }
    for (begin, end) in Self.skipped where has(begin) { return try skip(to: end) }
    let start = position
    advance()
    while let scalar = present, scalar != ">" {
      guard scalar != "<" else { break }
      if Self.isSpace(scalar) || scalar == "/" { advance() } else { try takeWord() }
    }
    guard present == ">" else { throw mistake("this tag has no end", at: start, hint: "write '>' after it") }
    advance()
  }

  /// An element's name, or an attribute with its value.
  private mutating func takeWord() throws(Diagnostic) {
    var name = ""
    while let scalar = present, !Self.isSpace(scalar), !"=/><\"'".unicodeScalars.contains(scalar) {
      name.unicodeScalars.append(scalar)
      advance()
    }
    if name.isEmpty { advance() }
    while let scalar = present, Self.isSpace(scalar) { advance() }
    guard present == "=" else { return }
    advance()
    while let scalar = present, Self.isSpace(scalar) { advance() }
    guard let quote = present, quote == "\"" || quote == "'" else {
      throw mistake(
        "the value of '\(name)' has no quotes", at: position, hint: "XML needs them, as in \(name)=\"1\"")
    }
    try takeValue(of: name, quote)
  }

  private mutating func takeValue(of name: String, _ quote: Unicode.Scalar) throws(Diagnostic) {
    let start = position
    advance()
    let place = position
    var value = ""
    while let scalar = present, scalar != quote {
      value.unicodeScalars.append(scalar)
      advance()
    }
    guard present != nil else { throw mistake("this value has no end", at: start, hint: "close the quote") }
    advance()
    attributes.append(Attribute(name: name, value: Self.plain(value), place: place))
  }

  private mutating func skip(to end: String) throws(Diagnostic) {
    let start = position
    while index < scalars.count, !has(end) { advance() }
    guard index < scalars.count else {
      throw mistake("'\(end)' is missing", at: start, hint: "this begins here")
    }
    for _ in end.unicodeScalars { advance() }
  }

  /// The text of a value, with its character references replaced.
  private static func plain(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    let references = [("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("amp;", "&")]
    let parts = value.split(separator: "&", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      guard let (name, character) = references.first(where: { part.hasPrefix($0.0) }) else {
        return "\(text)&\(part)"
      }
      return text + character + part.dropFirst(name.count)
    }
  }
}

// MARK: Scalars

extension SVGScanner {
  private var present: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func has(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  private mutating func advance() {
    if scalars[index] == "\n" {
      position = SourcePosition(line: position.line + 1, column: 1)
    } else {
      position.column += 1
    }
    index += 1
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { " \t\r\n".unicodeScalars.contains(scalar) }

  private func mistake(_ message: String, at place: SourcePosition, hint: String) -> Diagnostic {
    Diagnostic(.error, message, at: SourceRange(line: place.line, column: place.column, in: id), hint: hint)
  }
}
