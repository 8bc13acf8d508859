/// The text of an XML file that is left to read, and where it begins in the file.
struct XMLText {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private(set) var position = SourcePosition(line: 1, column: 1)

  init(_ source: SourceText) { scalars = Array(source.text.unicodeScalars) }

  var isEmpty: Bool { index == scalars.count }

  var next: Unicode.Scalar? { isEmpty ? nil : scalars[index] }

  var isAtSpace: Bool { next.map(Self.isSpace) ?? false }

  func has(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  mutating func advance() {
    if scalars[index] == "\n" {
      position = SourcePosition(line: position.line + 1, column: 1)
    } else {
      position.column += 1
    }
    index += 1
  }

  /// Whether the text begins with a scalar; if so, reads it.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  mutating func takeName() -> String {
    let start = index
    while let scalar = next, Self.isInName(scalar) { advance() }
    return String(scalars: scalars[start..<index])
  }

  mutating func skipSpace() {
    while isAtSpace { advance() }
  }

  /// - Parameter start: where the skipped part begins.
  mutating func skip(past end: String, from start: SourcePosition) throws(XMLMistake) {
    while !isEmpty, !has(end) { advance() }
    guard !isEmpty else { throw XMLMistake(.missingEnd(end), at: start) }
    for _ in end.unicodeScalars { advance() }
  }

  private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "/", ">", "<", "&", "\"", "'": false
    default: !isSpace(scalar)
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n"
  }
}
