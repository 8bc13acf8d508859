import Definitions
import DeviceModel

// Tables of data: the large ones as files.
extension DefinitionWriter {
  /// The most rows that stand in the definition itself, and the longest of them, characters.
  private static let (mostRows, longestRow) = (6, 80)
  /// The most rows that may.
  private static let mostPossibleRows = 10_000

  func tables() throws -> (entries: [YAMLValue.Entry], files: [WrittenDefinition.DataFile]) {
    var (entries, files): ([YAMLValue.Entry], [WrittenDefinition.DataFile]) = ([], [])
    for table in device.tables where !table.name.isEmpty {
      var keys: [YAMLValue.Entry] = []
      if table.count > Self.mostRows || table.rows.contains(where: Self.isLong), let text = Self.csv(table) {
        let file = WrittenDefinition.DataFile(name: table.name + ".csv", text: text)
        files.append(file)
        keys.add("file", .text(file.name))
      } else {
        guard table.count <= Self.mostPossibleRows else { throw WritingError.tooManyRows(table: table.name) }
        keys.add("rows", .list(try table.rows.map { .list(try $0.map(Self.value), .compact) }, .block))
      }
      keys.add("columns", .map(table.columns.map { .init($0.name, .word($0.type.name)) }, .compact))
      if !table.keyColumns.isEmpty { keys.add("key", .texts(table.keyNames)) }
      entries.add(table.name, .object(keys, .block))
    }
    return (entries, files)
  }

  private static func isLong(_ row: [Value]) -> Bool {
    row.reduce(0) { $0 + cell($1).count + 2 } > longestRow
  }

  /// nil: CSV cannot have some cell.
  private static func csv(_ table: DataTable) -> String? {
    var lines = [table.columns.map(\.name).joined(separator: ",")]
    for row in table.rows {
      let cells = row.map(cell)
      let line = cells.joined(separator: ",")
      guard cells.allSatisfy(isPlain), !line.isEmpty, !line.hasPrefix("#") else { return nil }
      lines.append(line)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func cell(_ value: Value) -> String {
    if case .decimal(let number) = value { DecimalText.write(number) } else { value.description }
  }

  /// Whether a cell is read as it stands in a line: without commas, and without spaces around it.
  private static func isPlain(_ cell: String) -> Bool {
    let scalars = cell.unicodeScalars
    let isVisible = scalars.allSatisfy { $0 != "," && $0.properties.generalCategory != .control }
    guard isVisible, let first = scalars.first, let last = scalars.last else { return scalars.isEmpty }
    return !first.properties.isWhitespace && !last.properties.isWhitespace
  }
}
