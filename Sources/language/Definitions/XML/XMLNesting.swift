/// An element as its first tag has it.
package struct XMLElement {
  package var name: String
  var attributes: [XMLScanner.Attribute]
  /// Of its tag.
  package var place: SourcePosition
  /// How many elements contain it.
  package var depth: Int

  /// The value of an attribute; nil if it has none of this name.
  package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// The open elements of a file, the innermost last. Each is closed in turn, and one contains all others.
struct XMLNesting {
  /// Whether the file has to be an SVG.
  let isSVG: Bool
  private(set) var root: XMLElement?
  private var open: [(name: String, place: SourcePosition)] = []
  /// The prefixes of names, as in `xlink:href`, that the file has declared so far.
  private var prefixes: Set = ["xml", "xmlns"]

  init(isSVG: Bool) { self.isSVG = isSVG }

  private static let namespace = "http://www.w3.org/2000/svg"

  var isInside: Bool { !open.isEmpty }
  var depth: Int { open.count }

  /// - Parameter isEmpty: whether the element's tag closes it.
  mutating func open(_ element: XMLElement, isEmpty: Bool) throws(XMLMistake) {
    defer { if !isEmpty { open.append((element.name, element.place)) } }
    if root == nil {
      root = element
      if isSVG { try check(root: element) }
    } else if !isInside {
      throw XMLMistake(.secondRoot(element.name), at: element.place)
    }
    if isSVG { try checkPrefixes(of: element) }
  }

  mutating func close(_ name: String, at place: SourcePosition) throws(XMLMistake) {
    guard let innermost = open.popLast() else { throw XMLMistake(.closesNothing(name), at: place) }
    guard innermost.name == name else {
      throw XMLMistake(.closesOther(name, innermost.name, line: innermost.place.line), at: place)
    }
  }

  /// - Parameter isBlank: whether the file is only white space.
  func finish(isBlank: Bool) throws(XMLMistake) {
    if let (name, place) = open.last { throw XMLMistake(.neverClosed(name), at: place) }
    guard root == nil, isSVG else { return }
    throw XMLMistake(isBlank ? .emptyDrawing : .noElement, at: SourcePosition(line: 1, column: 1))
  }

  private func check(root: XMLElement) throws(XMLMistake) {
    let parts = root.name.split(separator: ":", maxSplits: 1)
    guard parts.last == "svg" else { throw XMLMistake(.otherRoot(root.name), at: root.place) }
    let declaration = parts.count == 2 ? "xmlns:\(parts[0])" : "xmlns"
    // Some drawing programs write it as a reference to an entity.
    guard let space = root[declaration], space == Self.namespace || space.hasPrefix("&") else {
      throw XMLMistake(.noNamespace(declaration, Self.namespace), at: root.place)
    }
  }

  private mutating func checkPrefixes(of element: XMLElement) throws(XMLMistake) {
    for attribute in element.attributes where attribute.name.hasPrefix("xmlns:") {
      prefixes.insert(String(attribute.name.dropFirst("xmlns:".count)))
    }
    for name in [element.name] + element.attributes.map(\.name) where name.utf8.contains(UInt8(ascii: ":")) {
      let parts = name.split(separator: ":", maxSplits: 1)
      guard parts.count < 2 || prefixes.contains(String(parts[0])) else {
        throw XMLMistake(.unknownPrefix(String(parts[0]), name), at: element.place)
      }
    }
  }
}
