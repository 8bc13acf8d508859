/// The first byte of a file that is not UTF-8.
package struct BadText: Hashable, Sendable {
  /// The file's text, with `\u{FFFD}` for bytes that are not text.
  let text: String
  let place: SourcePosition
  let byte: UInt8
  /// Whether the file begins as UTF-16 does.
  let isUTF16: Bool

  /// - Parameter bytes: a file's bytes, not all of which are UTF-8.
  init(_ bytes: ArraySlice<UInt8>) {
    let offset = Self.validCount(of: bytes)
    let valid = SourceText(name: "", text: String(decoding: bytes.prefix(offset), as: UTF8.self))
    text = String(decoding: bytes, as: UTF8.self)
    place = SourcePosition(
      line: valid.lineCount, column: valid.line(valid.lineCount).unicodeScalars.count + 1)
    byte = bytes.dropFirst(offset).first ?? 0
    isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  /// The bytes before the first that is not UTF-8.
  private static func validCount(of bytes: ArraySlice<UInt8>) -> Int {
    var (parser, iterator, count) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    return count
  }
}

extension BadText {
  /// The mistake in the file itself.
  func diagnostic(in source: SourceText) -> Diagnostic {
    let range = SourceRange(line: place.line, column: place.column, in: source.id)
    return Diagnostic(.badByte(self), at: range)
  }
}
