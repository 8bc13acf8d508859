import Framing

extension MarkdownPage {
  /// All columns but the last are as wide as their cells, and the last one wraps. Where that leaves no room for it, the cells of a
  /// row are below each other.
  func table(_ lines: [String]) -> String {
    let rows = withoutEmptyColumns(lines.filter { !$0.allSatisfy { "|-: ".contains($0) } }.map(cells))
    let widths = (0..<(rows.first?.count ?? 0)).dropLast().map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    let column = widths.reduce(0) { $0 + $1 + 2 }
    let isAligned = widths.count < 2 || column <= width / 2
    return rows.enumerated().map { number, cells in
      let row = isAligned ? aligned(cells, widths, min(column, width / 3)) : stacked(cells)
      return number == 0 ? style.mark(String(row.dropLast()), as: .heading) + "\n" : row
    }.joined()
  }

  private func aligned(_ cells: [String], _ widths: [Int], _ column: Int) -> String {
    let head = zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
    guard cells.count > widths.count, let text = cells.last, !text.isEmpty else { return head + "\n" }
    return Columns.row(head, text, indent: 0, column: column, width: width)
  }

  private func stacked(_ cells: [String]) -> String {
    ((cells.first ?? "").isEmpty ? "" : cells[0] + "\n")
      + cells.dropFirst().filter { !$0.isEmpty }.map { Columns.wrapped($0, indent: 4, width: width) }.joined()
  }

  /// The cells of a row. `\|` is a bar in a cell.
  private func cells(_ line: String) -> [String] {
    var cells = [""]
    for character in line {
      if character != "|" {
        cells[cells.count - 1].append(character)
      } else if cells[cells.count - 1].last == "\\" {
        cells[cells.count - 1].removeLast()
        cells[cells.count - 1].append(character)
      } else {
        cells.append("")
      }
    }
    return cells.dropFirst().dropLast().map { cell in
      let text = cell.drop { $0 == " " }
      return text.hasPrefix("<img ") ? "" : plain(text).trimmed
    }
  }

  /// A column of pictures is empty in a terminal.
  private func withoutEmptyColumns(_ rows: [[String]]) -> [[String]] {
    let empty = (rows.first ?? []).indices.filter { column in
      rows.allSatisfy { !$0.indices.contains(column) || $0[column].isEmpty }
    }
    return rows.map { row in row.indices.filter { !empty.contains($0) }.map { row[$0] } }
  }
}
