import Framing

extension DefinitionDecoder {
  func decodeTables() {
    for entry in root["data"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      guard let table = table(name, entry.value) else {
        scope.addBroken(name)
        continue
      }
      checkIsNew(name, at: entry.key)
      scope.addTable(table, index: definition.tables.count)
      definition.tables.append(table)
    }
  }

  private func table(_ name: String, _ node: YAMLNode) -> DataTable? {
    let columns = (node["columns"]?.entries ?? []).compactMap { entry -> DataTable.Column? in
      guard let name = entry.key.text, let type = entry.value.text.flatMap(ValueType.init(named:)) else {
        return nil
      }
      return DataTable.Column(name: name, type: type)
    }
    let keys = (node["key"]?.elements ?? []).compactMap { key -> Int? in
      let column = columns.firstIndex { $0.name == key.text }
      if column == nil {
        let hint = Suggestion.hint(for: key.text ?? "", in: columns.map(\.name))
        log.error("no column '\(key.text ?? "")'", at: key.range, hint: hint)
      }
      return column
    }
    if let key = node["key"], key.elements.isEmpty { log.error("a table needs a key column", at: key.range) }
    guard !columns.isEmpty, columns.count == node["columns"]?.entries.count,
      !keys.isEmpty, keys.count == node["key"]?.elements.count
    else { return nil }
    var table = DataTable(name: name, columns: columns, keyColumns: keys)
    if let source = source(node["file"]) { fill(&table, from: source) }
    return table
  }

  private func source(_ node: YAMLNode?) -> SourceText? {
    guard let node, let name = node.text else { return nil }
    do {
      let source = SourceText(name: folder.displayName(of: name), text: try folder.read(name))
      otherSources.append(source)
      return source
    } catch {
      log.error(error.message, at: node.range, hint: error.hint)
      return nil
    }
  }

  private func fill(_ table: inout DataTable, from source: SourceText) {
    var rows = CSVText(source).rows
    guard !rows.isEmpty else {
      return report(
        "the file is empty", at: SourceRange(line: 1, column: 1), in: source, hint: headerHint(table))
    }
    let header = rows.removeFirst()
    guard header.cells.map(\.text) == table.columns.map(\.name) else {
      let range = SourceRange(line: header.line, column: 1, length: header.length)
      return report("the first line must name the columns", at: range, in: source, hint: headerHint(table))
    }
    for row in rows { add(row, to: &table, source) }
  }

  private func headerHint(_ table: DataTable) -> String {
    table.columns.map(\.name).joined(separator: ",")
  }

  private func add(_ row: CSVText.Row, to table: inout DataTable, _ source: SourceText) {
    let range = SourceRange(line: row.line, column: 1, length: row.length)
    guard row.cells.count == table.columns.count else {
      let message = "\(row.cells.count) cells for \(table.columns.count) columns"
      return report(message, at: range, in: source, hint: headerHint(table))
    }
    var values: [Value] = []
    for (cell, column) in zip(row.cells, table.columns) {
      guard let value = Self.value(cell.text, column.type) else {
        let range = SourceRange(line: row.line, column: cell.column, length: max(1, cell.text.count))
        report("'\(cell.text)' is not \(column.type.phrase)", at: range, in: source, hint: nil)
        continue
      }
      values.append(value)
    }
    guard values.count == table.columns.count else { return }
    if !table.add(values) {
      report(
        "a second row with this \(table.keyNames.joined(separator: ", "))", at: range, in: source, hint: nil)
    }
  }

  private static func value(_ text: String, _ type: ValueType) -> Value? {
    switch type {
    case .integer: IntegerText.parse(text).map { .integer(Int64($0)) }
    case .decimal: Double(text).map(Value.decimal)
    case .text: .text(text)
    case .bytes: (try? HexText.parse(text)).map(Value.bytes)
    case .boolean: text == "true" || text == "false" ? .boolean(text == "true") : nil
    case .group: nil
    }
  }

  private func report(_ message: String, at range: SourceRange, in source: SourceText, hint: String?) {
    log.report(Diagnostic(.error, message, at: range, hint: hint, file: source.name))
  }
}

/// Comma-separated values: one row a line, no quoting, spaces around cells ignored, empty lines and lines
/// that begin with `#` skipped.
struct CSVText {
  struct Cell {
    var text: String
    /// From 1, in Unicode scalars.
    var column: Int
  }

  struct Row {
    var line: Int
    var length: Int
    var cells: [Cell]
  }

  let rows: [Row]

  init(_ source: SourceText) {
    rows = source.lines.enumerated().compactMap { (index, scalars) -> Row? in
      let line = String(scalars: scalars).trimmed
      guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
      var column = 1
      let cells = scalars.split(separator: ",", omittingEmptySubsequences: false).map { part in
        let blanks = part.prefix { $0 == " " || $0 == "\t" }.count
        defer { column += part.count + 1 }
        return Cell(text: String(scalars: part).trimmed, column: column + blanks)
      }
      return Row(line: index + 1, length: scalars.count, cells: cells)
    }
  }
}
