/// The text of one file, by lines, so that a diagnostic can show its line.
package struct SourceText: Sendable {
  /// The name that a person gave or would recognise. Diagnostics print it.
  package let name: String
  package let text: String
  /// Its index among the files of a definition.
  package let id: SourceID
  /// The bytes of each line in the text, without its line end.
  private let lines: [Range<Int>]

  package init(name: String, text: String, id: SourceID = .main) {
    self.name = name
    self.text = text
    self.id = id
    lines = Self.lines(of: text)
  }

  /// Split as in YAML 1.1 (4.1.4), so that YAML's line numbers are ours.
  private static func lines(of text: String) -> [Range<Int>] {
    let bytes = text.utf8.span
    var lines: [Range<Int>] = []
    var (start, index) = (0, 0)
    while index < bytes.count {
      guard let size = breakSize(at: index, of: bytes) else {
        index += 1
        continue
      }
      lines.append(start..<index)
      index += size
      start = index
    }
    lines.append(start..<bytes.count)
    return lines
  }

  /// The bytes of a line end: LF, CR, CR LF, U+0085, U+2028 or U+2029; nil: there is none.
  private static func breakSize(at index: Int, of bytes: Span<UInt8>) -> Int? {
    func has(_ next: UInt8, _ ahead: Int) -> Bool {
      index + ahead < bytes.count && bytes[index + ahead] == next
    }
    return switch bytes[index] {
    case 0x0A: 1
    case 0x0D: has(0x0A, 1) ? 2 : 1
    case 0xC2 where has(0x85, 1): 2
    case 0xE2 where has(0x80, 1) && (has(0xA8, 2) || has(0xA9, 2)): 3
    default: nil
    }
  }

  package var lineCount: Int { lines.count }

  /// The text of a line counted from 1; empty past the end.
  package func line(_ number: Int) -> String {
    guard lines.indices.contains(number - 1) else { return "" }
    let (utf8, line) = (text.utf8, lines[number - 1])
    let start = utf8.index(utf8.startIndex, offsetBy: line.lowerBound)
    return String(text[start..<utf8.index(start, offsetBy: line.count)])
  }

  /// A line, or a part of one that is too long to be shown.
  struct Excerpt {
    var text: String
    /// The number of columns before the text, which are not shown.
    var offset = 0
  }

  /// The line of a position; of a long line the part around it, with `…` for the rest.
  func excerpt(around position: SourcePosition) -> Excerpt {
    let line = Array(line(position.line).unicodeScalars)
    guard line.count > Self.longestExcerpt else { return Excerpt(text: String(scalars: line)) }
    let start = min(max(0, position.column - 1 - Self.longestExcerpt / 2), line.count)
    let part = line.dropFirst(start).prefix(Self.longestExcerpt)
    let (before, after) = (start > 0 ? "…" : "", part.endIndex < line.endIndex ? "…" : "")
    return Excerpt(text: before + String(scalars: part) + after, offset: start - before.count)
  }

  private static let longestExcerpt = 300

  /// `length` columns of one of its lines.
  package func range(line: Int, column: Int = 1, length: Int = 1) -> SourceRange {
    SourceRange(line: line, column: column, length: length, in: id)
  }
}
