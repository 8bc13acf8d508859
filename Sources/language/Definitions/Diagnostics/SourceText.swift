/// The text of one file, by lines, so that a diagnostic can show its line.
package struct SourceText: Sendable {
  /// The name that a person gave or would recognise. Diagnostics print it.
  package let name: String
  package let text: String
  /// Its index among the files of a definition.
  package let id: SourceID
  /// Without their line ends; in scalars, as columns are.
  let lines: [ArraySlice<Unicode.Scalar>]

  package init(name: String, text: String, id: SourceID = .main) {
    self.name = name
    self.text = text
    self.id = id
    lines = Self.lines(of: text)
  }

  /// Split as in YAML 1.1 (4.1.4), so that YAML's line numbers are ours.
  private static func lines(of text: String) -> [ArraySlice<Unicode.Scalar>] {
    let scalars = Array(text.unicodeScalars)
    var lines: [ArraySlice<Unicode.Scalar>] = []
    var start = 0
    for index in scalars.indices where isBreak(scalars[index]) {
      let isPair = index > start && scalars[index] == "\n" && scalars[index - 1] == "\r"
      if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
      lines.append(scalars[start..<(isPair ? index - 1 : index)])
      start = index + 1
    }
    return lines + [scalars[start...]]
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  package var lineCount: Int { lines.count }

  /// The text of a line counted from 1; empty past the end.
  package func line(_ number: Int) -> String {
    lines.indices.contains(number - 1) ? String(scalars: lines[number - 1]) : ""
  }

  /// A line, or a part of one that is too long to be shown.
  struct Excerpt {
    var text: String
    /// The number of columns before the text, which are not shown.
    var offset = 0
  }

  /// The line of a position; of a long line the part around it, with `…` for the rest.
  func excerpt(around position: SourcePosition) -> Excerpt {
    guard lines.indices.contains(position.line - 1) else { return Excerpt(text: "") }
    let line = lines[position.line - 1]
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

  /// Whether the line has exactly `text` at `position`.
  package func has(_ text: String, at position: SourcePosition) -> Bool {
    guard lines.indices.contains(position.line - 1) else { return false }
    return lines[position.line - 1].dropFirst(position.column - 1).starts(with: text.unicodeScalars)
  }
}
