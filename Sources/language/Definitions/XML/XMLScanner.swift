/// Reads XML as far as faces and listings need it: the attributes of its elements, and whether it is well-formed. A browser draws
/// no other SVG. Of XML 1.0, it knows tags, references, comments, CDATA sections, processing instructions and declarations.
package struct XMLScanner {
  struct Attribute {
    var name: String
    var value: String
    /// Of the value's first scalar, without the quote.
    var place: SourcePosition
  }

  /// The rest of the text.
  private var text: XMLText
  private var nesting: XMLNesting
  private var attributes: [Attribute] = []
  private var elements: [XMLElement] = []
  /// The first mistake after which the text can still be read.
  private var mistake: XMLMistake?
  /// Whether the document type declares entities, which may then be anything.
  private var hasEntities = false

  private init(_ source: SourceText, isSVG: Bool) {
    (text, nesting) = (XMLText(source), XMLNesting(isSVG: isSVG))
  }

  /// The content of an SVG, as far as it can be read, and its first mistake.
  static func read(_ source: SourceText) -> (attributes: [Attribute], root: XMLElement?, mistake: Diagnostic?)
  {
    var scanner = XMLScanner(source, isSVG: true)
    do throws(XMLMistake) {
      while !scanner.text.isEmpty { try scanner.takeNode() }
      try scanner.nesting.finish(isBlank: source.text.allSatisfy(\.isWhitespace))
    } catch {
      scanner.note(error)
    }
    return (scanner.attributes, scanner.nesting.root, scanner.mistake?.diagnostic(in: source))
  }

  /// The root of a file that is no SVG, and the elements in it, in the order of their tags; empty: there is none.
  ///
  /// - Throws: the first mistake.
  package static func elements(of source: SourceText) throws(Diagnostic) -> [XMLElement] {
    var scanner = XMLScanner(source, isSVG: false)
    do throws(XMLMistake) {
      while !scanner.text.isEmpty, scanner.nesting.root == nil || scanner.nesting.isInside {
        try scanner.takeNode()
      }
      try scanner.nesting.finish(isBlank: false)
    } catch {
      scanner.note(error)
    }
    if let mistake = scanner.mistake { throw mistake.diagnostic(in: source) }
    return scanner.elements
  }

  private mutating func note(_ mistake: XMLMistake) { self.mistake = self.mistake ?? mistake }

  /// Parts that are not read as elements, and their ends.
  private static let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]

  private mutating func takeNode() throws(XMLMistake) {
    guard text.next == "<" else { return try takeCharacter() }
    let start = text.position
    for (begin, end) in Self.skipped where text.has(begin) { return try text.skip(past: end, from: start) }
    if text.has("<!") { return try skipDeclaration() }
    text.advance()
    if text.take("/") { return try takeEnd(from: start) }
    try takeElement(from: start)
  }

  private mutating func takeCharacter() throws(XMLMistake) {
    if text.next == "&" { try checkReference() }
    if nesting.isSVG, !nesting.isInside, !text.isAtSpace { note(XMLMistake(.textOutside, at: text.position)) }
    text.advance()
  }

  /// Skips a document type, which may have declarations in brackets.
  private mutating func skipDeclaration() throws(XMLMistake) {
    let start = text.position
    while let scalar = text.next, scalar != ">", scalar != "[" { text.advance() }
    if text.next == "[" {
      hasEntities = true
      try text.skip(past: "]", from: start)
    }
    try text.skip(past: ">", from: start)
  }
}

// MARK: Tags

extension XMLScanner {
  private mutating func takeEnd(from start: SourcePosition) throws(XMLMistake) {
    let name = text.takeName()
    text.skipSpace()
    guard text.take(">") else { throw XMLMistake(.openTag, at: start) }
    do throws(XMLMistake) { try nesting.close(name, at: start) } catch { note(error) }
  }

  private mutating func takeElement(from start: SourcePosition) throws(XMLMistake) {
    let name = text.takeName()
    guard !name.isEmpty else { throw XMLMistake(.namelessElement, at: start) }
    let first = attributes.count
    var names: Set<String> = []
    while true {
      let isApart = text.isAtSpace
      text.skipSpace()
      guard let scalar = text.next, scalar != "<" else { throw XMLMistake(.openTag, at: start) }
      if scalar == ">" || scalar == "/" { break }
      guard isApart else { throw XMLMistake(.noSpaceBefore, at: text.position) }
      try takeAttribute(after: &names)
    }
    let isEmpty = text.take("/")
    guard text.take(">") else { throw XMLMistake(.openTag, at: start) }
    let element = XMLElement(
      name: name, attributes: Array(attributes[first...]), place: start, depth: nesting.depth)
    elements.append(element)
    do throws(XMLMistake) { try nesting.open(element, isEmpty: isEmpty) } catch { note(error) }
  }

  /// - Parameter names: those of the element's attributes so far.
  private mutating func takeAttribute(after names: inout Set<String>) throws(XMLMistake) {
    let start = text.position
    let name = text.takeName()
    guard !name.isEmpty else { throw XMLMistake(.namelessAttribute, at: start) }
    text.skipSpace()
    guard text.take("=") else { throw XMLMistake(.noAttributeValue(name), at: start) }
    text.skipSpace()
    guard let quote = text.next, quote == "\"" || quote == "'" else {
      throw XMLMistake(.noAttributeQuotes(name), at: text.position)
    }
    guard names.insert(name).inserted else { throw XMLMistake(.secondAttributeOfElement(name), at: start) }
    attributes.append(try takeValue(of: name, quote))
  }

  private mutating func takeValue(of name: String, _ quote: Unicode.Scalar) throws(XMLMistake) -> Attribute {
    let start = text.position
    text.advance()
    let place = text.position
    var value: [Unicode.Scalar] = []
    while let scalar = text.next, scalar != quote {
      if scalar == "<" { throw XMLMistake(.lessThanInAttribute(name), at: text.position) }
      if scalar == "&" { try checkReference() }
      value.append(scalar)
      text.advance()
    }
    guard text.take(quote) else { throw XMLMistake(.openAttributeValue, at: start) }
    return Attribute(name: name, value: Self.plain(String(scalars: value)), place: place)
  }
}

// MARK: References

extension XMLScanner {
  private static let references = [
    ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("amp;", "&"),
  ]

  private func checkReference() throws(XMLMistake) {
    guard !hasEntities, !text.has("&#"), !Self.references.contains(where: { text.has("&" + $0.0) }) else {
      return
    }
    throw XMLMistake(.ampersand, at: text.position)
  }

  /// The text of a value, with its character references replaced.
  private static func plain(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    let parts = value.split(separator: "&", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      guard let (name, character) = references.first(where: { part.hasPrefix($0.0) }) else {
        return "\(text)&\(part)"
      }
      return text + character + part.dropFirst(name.count)
    }
  }
}
