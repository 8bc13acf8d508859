/// A table of data that expressions look cells up in.
package struct DataTable: Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: ValueType
  }

  package var name: String
  package var columns: [Column]
  /// The columns whose values together name a row, by index.
  package var keyColumns: [Int]
  /// In the order of the file.
  package private(set) var rows: [[Value]] = []
  private var rowOfKey: [[Value]: Int] = [:]

  package init(name: String, columns: [Column], keyColumns: [Int]) {
    self.name = name
    self.columns = columns
    self.keyColumns = keyColumns
  }

  package var keyNames: [String] { keyColumns.map { columns[$0].name } }
  package var count: Int { rows.count }

  /// Adds a row, one value for each column; false when there is a row with its key.
  mutating func add(_ row: [Value]) -> Bool {
    let key = keyColumns.map { row[$0] }
    guard rowOfKey[key] == nil else { return false }
    rowOfKey[key] = rows.count
    rows.append(row)
    return true
  }

  /// The cell of the row with this key; nothing (0, empty) when there is no such row.
  package func cell(key: [Value], column: Int) -> Value {
    rowOfKey[key].map { rows[$0][column] } ?? .zero(of: columns[column].type)
  }
}
