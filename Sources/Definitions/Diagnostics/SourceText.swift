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
  private let lines: [Substring.UnicodeScalarView]

  package init(name: String, text: String) {
    self.name = name
    self.text = text
    self.lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.last == "\r" ? line.dropLast() : line
    }
  }

  /// The text of a line counted from 1; empty past the end.
  package func line(_ number: Int) -> String {
    lines.indices.contains(number - 1) ? String(String.UnicodeScalarView(lines[number - 1])) : ""
  }

  /// Tells whether `text` stands at `position`, letter for letter, on that one line.
  package func has(_ text: String, at position: SourcePosition) -> Bool {
    guard lines.indices.contains(position.line - 1) else { return false }
    return lines[position.line - 1].dropFirst(position.column - 1).starts(with: text.unicodeScalars)
  }
}
