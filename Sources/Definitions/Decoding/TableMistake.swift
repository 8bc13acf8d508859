import DeviceModel

/// A mistake in a table of data, or where one is named.
enum TableMistake: Mistake {
  case unknownTable(String, known: [String])
  case unknownColumn(String, table: String, known: [String])
  /// The key of a table names a column that the table does not have.
  case unknownKeyColumn(String, known: [String])
  case noRows(table: String)
  case emptyFile(columns: [String])
  /// The first line of a file does not have the names of the columns.
  case badHeader(columns: [String])
  case tooManyCells(most: Int)
  case badRow(cells: Int, columns: [String])
  case badCell(String, ValueType)
  /// Two rows have the same values in the columns of the key.
  case secondRow(key: [String])
}

extension TableMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .unknownTable(let name, let known):
      ("no data table '\(name)'", Suggestion.hint(for: name, in: known))
    case .unknownColumn(let name, let table, let known):
      ("'\(table)' has no column '\(name)'", Suggestion.hint(for: name, in: known))
    case .unknownKeyColumn(let name, let known):
      ("no column '\(name)'", Suggestion.hint(for: name, in: known))
    case .noRows(let table): ("'\(table)' has no rows", nil)
    case .emptyFile(let columns): ("the file is empty", Self.header(columns))
    case .badHeader(let columns): ("the first line must name the columns", Self.header(columns))
    case .tooManyCells(let most):
      ("more than \(most) cells", "all tables together can have at most \(most)")
    case .badRow(let cells, let columns):
      ("\(cells) cells for \(columns.count) columns", Self.header(columns))
    case .badCell(let text, let type): ("'\(text)' is not \(type.phrase)", nil)
    case .secondRow(let key): ("a second row with this \(key.joined(separator: ", "))", nil)
    }
  }

  /// The first line of a file with such a table.
  private static func header(_ columns: [String]) -> String { columns.joined(separator: ",") }
}
