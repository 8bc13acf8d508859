import DeviceModel

/// Mistakes in a table of data, or where one is named.
extension Mistake {
  static func unknownTable(_ name: String, known: [String]) -> Self {
    Self("no data table '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func unknownColumn(_ name: String, table: String, known: [String]) -> Self {
    Self("'\(table)' has no column '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func unknownKeyColumn(_ name: String, known: [String]) -> Self {
    Self("no column '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func noRows(table: String) -> Self { Self("'\(table)' has no rows") }
  static func emptyFile(columns: [String]) -> Self { Self("the file is empty", header(columns)) }
  static func badHeader(columns: [String]) -> Self {
    Self("the first line must name the columns", header(columns))
  }
  static func tooManyCells(most: Int) -> Self {
    Self("more than \(most) cells", "all tables together can have at most \(most)")
  }
  static func badRow(cells: Int, columns: [String]) -> Self {
    Self("\(cells) cells for \(columns.count) columns", header(columns))
  }
  static func badCell(_ text: String, _ type: ValueType) -> Self { Self("'\(text)' is not \(type.phrase)") }
  static func secondRow(key: [String]) -> Self {
    Self("a second row with this \(key.joined(separator: ", "))")
  }

  /// The first line of a file with such a table.
  private static func header(_ columns: [String]) -> String { columns.joined(separator: ",") }
}
