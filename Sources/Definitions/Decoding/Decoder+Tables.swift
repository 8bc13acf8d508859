import DeviceModel

extension DefinitionDecoder {
  func decodeTables() {
    for entry in root["data"]?.entries ?? [] {
      guard let name = entry.key.text else { continue }
      guard var table = table(name, entry.value) else {
        scope.addBroken(name)
        continue
      }
      checkIsNew(name, at: entry.key)
      addRows(of: entry.value, to: &table)
      scope.addTable(table, index: definition.tables.count)
      definition.tables.append(table)
    }
  }

  /// A table without its rows.
  private func table(_ name: String, _ node: YAMLNode) -> DataTable? {
    let entries = node["columns"]?.entries ?? []
    let columns = entries.compactMap { entry -> DataTable.Column? in
      guard let name = entry.key.text, let type = entry.value.text.flatMap(ValueType.init(named:)) else {
        return nil
      }
      return DataTable.Column(name: name, type: type)
    }
    if let place = node["columns"], entries.isEmpty, case .mapping = place.content {
      log.error("a table needs columns", at: place.range, hint: "name: type")
    }
    guard !columns.isEmpty, columns.count == entries.count, let keys = keys(node["key"], columns) else {
      return nil
    }
    return DataTable(name: name, columns: columns, keyColumns: keys)
  }

  /// The columns that name a row, by index; none where the table has no key.
  private func keys(_ node: YAMLNode?, _ columns: [DataTable.Column]) -> [Int]? {
    guard let node else { return [] }
    let keys = node.elements.compactMap { key -> Int? in
      let column = columns.firstIndex { $0.name == key.text }
      if column == nil {
        let hint = Suggestion.hint(for: key.text ?? "", in: columns.map(\.name))
        log.error("no column '\(key.text ?? "")'", at: key.range, hint: hint)
      }
      return column
    }
    if node.elements.isEmpty {
      log.error("a key has at least one column", at: node.range, hint: "a table without a key has no 'key:'")
    }
    return keys.isEmpty || keys.count < node.elements.count ? nil : keys
  }

  /// From the table's file, or as they stand beside it.
  private func addRows(of node: YAMLNode, to table: inout DataTable) {
    if let rows = node["rows"] {
      add(rows.elements.lazy.compactMap(RowText.init), to: &table)
    } else if let file = node["file"], let name = file.text {
      addRows(ofFile: name, namedAt: file.range, to: &table)
    }
  }

  private func addRows(ofFile name: String, namedAt range: SourceRange, to table: inout DataTable) {
    let source: SourceText
    do { source = try files.read(name, namedAt: range) } catch {
      return log.error(error.message, at: range, hint: error.hint)
    }
    let rows = CSVText(source: source).rows
    guard let names = rows.first(where: { _ in true }) else {
      return log.error("the file is empty", at: source.range(line: 1), hint: table.header)
    }
    guard names.cells.map(\.text) == table.columns.map(\.name) else {
      return log.error("the first line must name the columns", at: names.range, hint: table.header)
    }
    add(rows.dropFirst(), to: &table)
  }

  /// What all tables of a device can have in all.
  private static let mostCells = 250_000

  private func add(_ rows: some Sequence<RowText>, to table: inout DataTable) {
    let mostRows = (Self.mostCells - cellCount) / table.columns.count
    for row in rows {
      guard !log.isClosed else { return }
      guard table.count < mostRows else {
        return log.close(
          with: "more than \(Self.mostCells) cells", at: row.range,
          hint: "all tables together have at most so many")
      }
      add(row, to: &table)
    }
    cellCount += table.count * table.columns.count
  }

  private func add(_ row: RowText, to table: inout DataTable) {
    guard row.cells.count == table.columns.count else {
      let message = "\(row.cells.count) cells for \(table.columns.count) columns"
      return log.error(message, at: row.range, hint: table.header)
    }
    let values = zip(row.cells, table.columns).compactMap { cell, column -> Value? in
      let value = try? Value(cell.text, as: column.type)
      if value == nil { log.error("'\(cell.text)' is not \(column.type.phrase)", at: cell.range) }
      return value
    }
    guard values.count == table.columns.count, !table.add(values) else { return }
    log.error("a second row with this \(table.keyNames.joined(separator: ", "))", at: row.range)
  }
}

extension DataTable {
  /// The first line of a file with such a table.
  fileprivate var header: String { columns.map(\.name).joined(separator: ",") }
}
