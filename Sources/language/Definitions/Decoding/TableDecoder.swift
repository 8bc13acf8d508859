import DeviceModel

/// Reads the tables of data.
struct TableDecoder {
  private let log: DiagnosticLog
  private var files: DefinitionFiles
  /// The cells of all tables so far.
  private var cellCount = 0

  /// - Parameter files: receives their data files.
  static func tables(
    _ entries: [Entry<Node<Language.Table>>], _ names: inout NameScope, _ files: inout DefinitionFiles,
    _ log: DiagnosticLog
  ) -> [DataTable] {
    var decoder = TableDecoder(log: log, files: files)
    defer { files = decoder.files }
    return names.declare(entries, log: log) { entry, _ in
      decoder.table(entry.key.text, entry.value)
    } bind: { names, index, table in
      names.addTable(table, index: index)
    }
  }

  private init(log: DiagnosticLog, files: DefinitionFiles) { (self.log, self.files) = (log, files) }

  private mutating func table(_ name: String, _ node: Node<Language.Table>) -> DataTable? {
    let columns = node.columns.compactMap { entry in
      ValueType(named: entry.value.text).map { DataTable.Column(name: entry.key.text, type: $0) }
    }
    guard !columns.isEmpty, columns.count == node.columns.count, let keys = keys(node.key, columns) else {
      return nil
    }
    var table = DataTable(name: name, columns: columns, keyColumns: keys)
    if let file = node.file {
      addRows(ofFile: file, to: &table)
    } else {
      add(node.rows.lazy.map(RowText.init), to: &table)
    }
    return table
  }

  /// The columns that identify a row, by index; empty if the table has no key.
  private func keys(_ names: [Scalar], _ columns: [DataTable.Column]) -> [Int]? {
    let keys = names.compactMap { name in
      let column = columns.firstIndex { $0.name == name.text }
      if column == nil {
        log.error(.unknownKeyColumn(name.text, known: columns.map(\.name)), at: name.range)
      }
      return column
    }
    return keys.count < names.count ? nil : keys
  }
}

// MARK: Rows

extension TableDecoder {
  private mutating func addRows(ofFile name: Scalar, to table: inout DataTable) {
    let source: SourceText
    do { source = try files.read(name.text, namedAt: name.range) } catch {
      return log.error(error.message, at: name.range, hint: error.hint)
    }
    let columns = table.columns.map(\.name)
    let rows = CSVText(source: source).rows
    guard let names = rows.first(where: { _ in true }) else {
      return log.error(.emptyFile(columns: columns), at: source.range(line: 1))
    }
    guard names.cells.map(\.text) == columns else {
      return log.error(.badHeader(columns: columns), at: names.range)
    }
    add(rows.dropFirst(), to: &table)
  }

  /// The most cells of all tables of a device.
  private static let mostCells = 250_000

  private mutating func add(_ rows: some Sequence<RowText>, to table: inout DataTable) {
    let mostRows = (Self.mostCells - cellCount) / table.columns.count
    for row in rows {
      guard !log.isClosed else { return }
      guard table.count < mostRows else {
        return log.close(with: .tooManyCells(most: Self.mostCells), at: row.range)
      }
      add(row, to: &table)
    }
    cellCount += table.count * table.columns.count
  }

  private func add(_ row: RowText, to table: inout DataTable) {
    guard row.cells.count == table.columns.count else {
      let columns = table.columns.map(\.name)
      return log.error(.badRow(cells: row.cells.count, columns: columns), at: row.range)
    }
    let values = zip(row.cells, table.columns).compactMap { cell, column -> Value? in
      let value = try? Value(cell.text, as: column.type)
      if value == nil { log.error(.badCell(cell.text, column.type), at: cell.range) }
      return value
    }
    guard values.count == table.columns.count, !table.add(values) else { return }
    log.error(.secondRow(key: table.keyNames), at: row.range)
  }
}
