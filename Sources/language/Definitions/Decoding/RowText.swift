/// A row of a table as it is written in a file.
struct RowText {
  struct Cell {
    var text: String
    var range: SourceRange
  }

  var cells: [Cell]
  var range: SourceRange

  init(cells: [Cell], range: SourceRange) {
    self.cells = cells
    self.range = range
  }

  init(_ row: Language.Row) {
    self.init(cells: row.cells.map { Cell(text: $0.text, range: $0.range) }, range: row.range)
  }
}

/// Comma-separated values: one row a line, no quoting, spaces around cells ignored, empty lines and lines
/// that begin with `#` skipped.
struct CSVText {
  let source: SourceText

  /// Cuts cells one at a time, because a file may have millions.
  var rows: some Sequence<RowText> {
    (1...source.lineCount).lazy.compactMap { row($0) }
  }

  private func row(_ number: Int) -> RowText? {
    let text = source.line(number)
    let line = text.trimmed
    guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
    let range = source.range(line: number, length: text.unicodeScalars.count)
    return RowText(cells: cells(text, line: number), range: range)
  }

  private func cells(_ text: String, line: Int) -> [RowText.Cell] {
    var column = 1
    return Array(text.unicodeScalars).split(separator: ",", omittingEmptySubsequences: false).map { part in
      let blanks = part.prefix { $0 == " " || $0 == "\t" }.count
      defer { column += part.count + 1 }
      let text = String(scalars: part).trimmed
      let length = max(1, text.unicodeScalars.count)
      return RowText.Cell(
        text: text, range: source.range(line: line, column: column + blanks, length: length))
    }
  }
}
