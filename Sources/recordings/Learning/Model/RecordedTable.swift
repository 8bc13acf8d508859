import DefinitionWriter
import Framing

/// The recorded values of a message, which the device sends one after the other.
struct RecordedTable: Sendable {
  /// The most rows of all tables; a definition has at most 250,000 cells.
  static let mostCells = 100_000
  /// The most cells that are written in the definition itself.
  private static let fewCells = 200

  var name: String
  var columns: [(name: String, type: FieldType)] = []
  var rows: [[String]] = []
  /// How many of the first columns are its key.
  var keys = 1

  /// The table, with the file of its rows if they are many.
  var written: (entry: YAMLValue.Entry, file: WrittenDefinition.DataFile?) {
    let types = columns.map { YAMLValue.Entry($0.name, .word($0.type.valueType)) }
    var entries = [
      YAMLValue.Entry("columns", .map(types, .compact)),
      YAMLValue.Entry("key", .list(columns.prefix(keys).map { .text($0.name) }, .flow)),
    ]
    guard rows.count * columns.count > Self.fewCells else {
      let rows = rows.map { row in YAMLValue.list(zip(row, columns).map { cell($0, $1.type) }, .flow) }
      entries.append(.init("rows", .list(rows, .block)))
      return (.init(name, .object(entries, .block)), nil)
    }
    let lines = [columns.map(\.name)] + rows
    let text = lines.map { $0.joined(separator: ",") + "\n" }.joined()
    entries.insert(.init("file", .text("\(name).csv")), at: 0)
    return (
      .init(name, .object(entries, .block)), WrittenDefinition.DataFile(name: "\(name).csv", text: text)
    )
  }

  private func cell(_ text: String, _ type: FieldType) -> YAMLValue {
    if case .integer = type { .word(text) } else { .quoted(text) }
  }
}
