/// One word of a transcript's line: `FFE1`, `"OK\r\n"` or `packets=5`.
struct Token {
  enum Content: Hashable {
    case word(String)
    case quoted([UInt8])
  }

  /// What stands before `=`; nil where there is none.
  var name: String?
  var content: Content
  /// Offsets in the line, in Unicode scalars.
  var range: Range<Int>
  /// Those of what stands behind `=`, or of all.
  var contentRange: Range<Int>

  /// What stands before `=`.
  var nameRange: Range<Int> { range.lowerBound..<range.lowerBound + (name?.unicodeScalars.count ?? 0) }

  /// The text of a word that is no `name=value` and not in quotes.
  var word: String? {
    if name == nil, case .word(let word) = content { word } else { nil }
  }

  /// The content as text; nil where it is none.
  var text: String? {
    switch content {
    case .word(let word): word
    case .quoted(let bytes): String(validating: bytes, as: UTF8.self)
    }
  }
}
