import DeviceModel

/// A value in a message: the field `packets`, the cell `cells[0].voltage` of a repeated part, or the number of its
/// rows, `cells.size`.
package enum FieldPath: Hashable, Sendable {
  case field(Int)
  case rowCount(Int)
  case cell(Int, row: Int, column: Int)

  /// Finds a name in a message; nil if the message does not have it.
  init?(_ name: String, in message: MessageTemplate) {
    let base = name.prefix { $0 != "[" && $0 != "." }
    guard let index = message.fields.firstIndex(where: { $0.name == base }) else { return nil }
    let rest = name.dropFirst(base.count)
    if rest.isEmpty {
      self = .field(index)
    } else if rest == ".size", message.fields[index].valueType.isGroup {
      self = .rowCount(index)
    } else {
      let parts = rest.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
      guard rest.first == "[", parts.count == 2, let row = Int(parts[0]), Self.rows.contains(row),
        parts[1].first == ".",
        let column = message.fields[index].columns.firstIndex(where: { $0.name == parts[1].dropFirst() })
      else { return nil }
      self = .cell(index, row: row, column: column)
    }
  }

  /// The valid row indices: a message has at most as many rows as bytes.
  static let rows = 0..<MessageTemplate.maximumSize

  /// The index of the field that contains the value.
  var field: Int {
    switch self {
    case .field(let index), .rowCount(let index), .cell(let index, _, _): index
    }
  }

  func name(in message: MessageTemplate) -> String {
    let field = message.fields[field]
    return switch self {
    case .field: field.name
    case .rowCount: "\(field.name).size"
    case .cell(_, let row, let column): "\(field.name)[\(row)].\(field.columns[column].name)"
    }
  }

  /// Picks the value from those of a message; nil if the message lacks it.
  func value(in values: [Value?]) -> Value? {
    switch (self, values[field]) {
    case (.field, let value): value
    case (.rowCount, .group(let rows)): .integer(Int64(rows.count))
    case (.cell(_, let row, let column), .group(let rows)):
      rows.indices.contains(row) ? rows[row][column] : nil
    case (.rowCount, _), (.cell, _): nil
    }
  }
}
