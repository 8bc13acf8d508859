/// One word of a transcript's line: `FFE1`, `"OK\r\n"` or `packets=5`.
struct Token {
  enum Content: Hashable {
    case word(String)
    case quoted([UInt8])
  }

  /// The text before `=`, if there is one.
  var name: String?
  var content: Content
  /// The offsets in the line, in Unicode scalars.
  var range: Range<Int>
  /// The offsets of the text after `=`, or of the whole word.
  var contentRange: Range<Int>

  /// The offsets of the text before `=`.
  var nameRange: Range<Int> { range.lowerBound..<range.lowerBound + (name?.unicodeScalars.count ?? 0) }

  /// The text of a word without quotes and `=`.
  var word: String? {
    if name == nil, case .word(let word) = content { word } else { nil }
  }

  /// The content as text; nil if it is not UTF-8.
  var text: String? {
    switch content {
    case .word(let word): word
    case .quoted(let bytes): String(validating: bytes, as: UTF8.self)
    }
  }
}
