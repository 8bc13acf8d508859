/// A table of data: rows in the order of the file, and by key if it has key columns.
package struct DataTable: Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: ValueType

    package init(name: String, type: ValueType) {
      self.name = name
      self.type = type
    }
  }

  package var name: String
  package var columns: [Column]
  /// The indices of the columns that identify a row; empty if rows have no key.
  package let keyColumns: [Int]
  /// One value for each column.
  package private(set) var rows: [[Value]] = []
  private var indices: [[Value]: Int] = [:]

  package init(name: String, columns: [Column], keyColumns: [Int] = []) {
    self.name = name
    self.columns = columns
    self.keyColumns = keyColumns
  }

  package var keyNames: [String] { keyColumns.map { columns[$0].name } }
  package var count: Int { rows.count }

  /// Adds a row, one value for each column; returns false if a row with its key exists.
  package mutating func add(_ row: [Value]) -> Bool {
    if !keyColumns.isEmpty {
      let key = keyColumns.map { row[$0] }
      guard indices[key] == nil else { return false }
      indices[key] = rows.count
    }
    rows.append(row)
    return true
  }

  /// The rows whose first key columns have these values, in the order of the file.
  package func rows(whose key: [Value]) -> [[Value]] {
    rows.filter { row in zip(keyColumns, key).allSatisfy { row[$0] == $1 } }
  }

  /// The cell of the row with this key; 0 or empty if there is no such row.
  package func cell(key: [Value], column: Int) -> Value {
    indices[key].map { rows[$0][column] } ?? .zero(of: columns[column].type)
  }
}
