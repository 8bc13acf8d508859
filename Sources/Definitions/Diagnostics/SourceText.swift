/// A place in a source file: line and column, both counted from 1, the column in Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A stretch of a source file, `end` excluded.
package struct SourceRange: Hashable, Sendable {
  package var start: SourcePosition
  package var end: SourcePosition

  package init(_ start: SourcePosition, _ end: SourcePosition) {
    self.start = start
    self.end = end
  }

  /// `length` columns on one line.
  package init(line: Int, column: Int, length: Int = 1) {
    self.init(
      SourcePosition(line: line, column: column), SourcePosition(line: line, column: column + length))
  }
}

/// The text of one file, by lines, so that a diagnostic can show the line it speaks of.
package struct SourceText: Sendable {
  /// The name that a person gave or would recognise; what diagnostics print.
  package let name: String
  package let text: String
  /// Without their line ends; in scalars, as columns are.
  let lines: [ArraySlice<Unicode.Scalar>]

  package init(name: String, text: String) {
    self.name = name
    self.text = text
    lines = Self.lines(of: text)
  }

  /// Cut where YAML 1.1 cuts (4.1.4), so that the numbers of its lines are ours.
  private static func lines(of text: String) -> [ArraySlice<Unicode.Scalar>] {
    let scalars = Array(text.unicodeScalars)
    var lines: [ArraySlice<Unicode.Scalar>] = []
    var start = 0
    for index in scalars.indices where breaks.contains(scalars[index]) {
      let isPair = index > start && scalars[index] == "\n" && scalars[index - 1] == "\r"
      if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
      lines.append(scalars[start..<(isPair ? index - 1 : index)])
      start = index + 1
    }
    return lines + [scalars[start...]]
  }

  private static let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

  package var lineCount: Int { lines.count }

  /// The text of a line counted from 1; empty past the end.
  package func line(_ number: Int) -> String {
    lines.indices.contains(number - 1) ? String(scalars: lines[number - 1]) : ""
  }

  /// Tells whether `text` stands at `position`, letter for letter, on that one line.
  package func has(_ text: String, at position: SourcePosition) -> Bool {
    guard lines.indices.contains(position.line - 1) else { return false }
    return lines[position.line - 1].dropFirst(position.column - 1).starts(with: text.unicodeScalars)
  }
}

extension String {
  init(scalars: some Sequence<Unicode.Scalar>) {
    self.init(String.UnicodeScalarView(scalars))
  }
}
