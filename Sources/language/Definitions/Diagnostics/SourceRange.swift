/// One of the files that make up a definition: an index in the order in which they are read.
package struct SourceID: Hashable, Comparable, Sendable {
  package let index: Int

  /// The definition's own file.
  package static let main = SourceID(index: 0)

  package static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

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
  package var source: SourceID

  package init(_ start: SourcePosition, _ end: SourcePosition, in source: SourceID = .main) {
    self.start = start
    self.end = end
    self.source = source
  }

  /// `length` columns on one line.
  package init(line: Int, column: Int, length: Int = 1, in source: SourceID = .main) {
    self.init(
      SourcePosition(line: line, column: column), SourcePosition(line: line, column: column + length),
      in: source)
  }

  /// Its first column alone.
  var firstColumn: SourceRange { SourceRange(line: start.line, column: start.column, in: source) }

  /// Whether another is inside it.
  func contains(_ other: SourceRange) -> Bool {
    source == other.source && start <= other.start && other.end <= end
  }

  /// Whether it comes before another in the list of diagnostics.
  func isBefore(_ other: SourceRange) -> Bool { (source, start) < (other.source, other.start) }
}
