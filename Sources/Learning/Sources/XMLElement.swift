import Definitions

/// An element of an XML file, with its attributes and its elements. Text between tags, comments and declarations are left out.
struct XMLElement {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  var place: SourcePosition

  /// The root of a file.
  static func read(_ file: ListingFile) throws(ListingMistake) -> XMLElement {
    var reader = XMLReader(file)
    return try reader.document()
  }
}

/// Reads the XML of exports: elements, attributes, comments, declarations, the five predefined references.
private struct XMLReader {
  /// How deep elements may be in each other.
  private static let deepest = 16

  private let file: ListingFile
  private var place = 0

  init(_ file: ListingFile) { self.file = file }

  mutating func document() throws(ListingMistake) -> XMLElement {
    var open: [XMLElement] = []
    while true {
      skip { $0 != UInt8(ascii: "<") }
      let start = place
      guard place < file.bytes.count else {
        let name = open.last.map { "'<\($0.name)>' has no end" } ?? "there is no element"
        throw ListingMistake(name, in: file.name, at: open.last?.place ?? file.position(of: start))
      }
      if try skippedDeclaration() { continue }
      if take("</") {
        guard let element = open.popLast(), name() == element.name, takeEnd() else {
          throw mistake("this tag closes no open element", at: start)
        }
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
      } else {
        place += 1
        let element = try self.element(from: start)
        if take("/>") {
          guard !open.isEmpty else { return element }
          open[open.count - 1].children.append(element)
        } else if take(">") {
          guard open.count < Self.deepest else {
            throw mistake("too many elements are in each other", at: start)
          }
          open.append(element)
        } else {
          throw mistake("this tag has no end", at: start)
        }
      }
    }
  }

  private mutating func skippedDeclaration() throws(ListingMistake) -> Bool {
    for (begin, end) in [("<!--", "-->"), ("<?", "?>"), ("<!", ">")] where has(begin) {
      let start = place
      while !has(end) {
        guard place < file.bytes.count else { throw mistake("'\(end)' is missing", at: start) }
        place += 1
      }
      place += end.utf8.count
      return true
    }
    return false
  }

  private mutating func element(from start: Int) throws(ListingMistake) -> XMLElement {
    var element = XMLElement(name: name(), place: file.position(of: start))
    guard !element.name.isEmpty else { throw mistake("no element begins here", at: start) }
    skipSpace()
    while let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
      let start = place
      let name = name()
      skipSpace()
      guard !name.isEmpty, take("=") else { throw mistake("an attribute is missing here", at: start) }
      skipSpace()
      element.attributes[name] = try attributeValue()
      skipSpace()
    }
    return element
  }

  private mutating func attributeValue() throws(ListingMistake) -> String {
    let start = place
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw mistake("a value in quotes is missing here", at: place)
    }
    place += 1
    let first = place
    skip { $0 != quote }
    guard place < file.bytes.count else { throw mistake("this value has no end", at: start) }
    defer { place += 1 }
    return Self.plain(String(decoding: file.bytes[first..<place], as: UTF8.self))
  }

  private static func plain(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let references = [("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("amp;", "&")]
    let parts = text.split(separator: "&", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
      guard let (name, character) = references.first(where: { part.hasPrefix($0.0) }) else {
        return "\(text)&\(part)"
      }
      return text + character + part.dropFirst(name.count)
    }
  }
}

extension XMLReader {
  private var peek: UInt8? { place < file.bytes.count ? file.bytes[place] : nil }

  private func has(_ text: String) -> Bool { file.bytes[place...].starts(with: text.utf8) }

  private mutating func take(_ text: String) -> Bool {
    guard has(text) else { return false }
    place += text.utf8.count
    return true
  }

  private mutating func takeEnd() -> Bool {
    skipSpace()
    return take(">")
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte = peek, isSkipped(byte) { place += 1 }
  }

  private mutating func skipSpace() { skip { $0 <= 0x20 } }

  private mutating func name() -> String {
    let start = place
    skip { $0 > 0x20 && !Self.ends.contains($0) }
    return String(decoding: file.bytes[start..<place], as: UTF8.self)
  }

  private static let ends = Array("<>/=\"'".utf8)

  private func mistake(_ reason: String, at offset: Int) -> ListingMistake {
    ListingMistake(reason, in: file.name, at: file.position(of: offset))
  }
}
