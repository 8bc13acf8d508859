import DeviceModel

/// A value in a message: the field `packets`, the cell `cells[0].voltage` of a repeated part, or the number of its
/// rows, `cells.size`. Repeated parts may be in others: `records[1].items[0].value`.
package struct FieldPath: Hashable, Sendable {
  struct Cell: Hashable {
    var row: Int
    var column: Int
  }

  /// The index of the field that contains the value.
  let field: Int
  /// The path to the value in a repeated part.
  private(set) var cells: [Cell] = []
  /// Whether it is the number of rows.
  private(set) var isRowCount = false

  init(field: Int) { self.field = field }

  /// The valid row indices: a message has at most as many rows as bytes.
  static let rows = 0..<MessageTemplate.maximumSize

  func cell(row: Int, column: Int) -> FieldPath {
    var path = self
    path.cells.append(Cell(row: row, column: column))
    return path
  }

  var rowCount: FieldPath {
    var path = self
    path.isRowCount = true
    return path
  }
}

// MARK: Names

extension FieldPath {
  /// Finds a name in a message; nil if the message does not have it.
  init?(_ name: String, in message: MessageTemplate) {
    let base = name.prefix { $0 != "[" && $0 != "." }
    guard let index = message.fields.firstIndex(where: { $0.name == base }) else { return nil }
    self.init(field: index)
    var rest = name.dropFirst(base.count)
    while !rest.isEmpty {
      if rest == ".size", target(in: message).valueType.isGroup {
        isRowCount = true
        return
      }
      guard let cell = Self.readCell(&rest, of: target(in: message)) else { return nil }
      cells.append(cell)
    }
  }

  /// `[1].items`, or `.items` of the only row
  private static func readCell(_ text: inout Substring, of group: MessageTemplate.Field) -> Cell? {
    if group.isSingle, text.first == "." { text = "[0]" + text }
    let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.first == "[", parts.count == 2, let row = Int(parts[0]), rows.contains(row),
      parts[1].first == "."
    else { return nil }
    let name = parts[1].dropFirst().prefix { $0 != "[" && $0 != "." }
    text = parts[1].dropFirst(1 + name.count)
    return group.columns.firstIndex { $0.name == name }.map { Cell(row: row, column: $0) }
  }

  func name(in message: MessageTemplate) -> String {
    var field = message.fields[field]
    var name = field.name
    for cell in cells {
      name += field.isSingle && cell.row == 0 ? "." : "[\(cell.row)]."
      field = field.columns[cell.column]
      name += field.name
    }
    return isRowCount ? name + ".size" : name
  }
}

// MARK: Values

extension FieldPath {
  /// The field, or the group whose rows it counts.
  private func target(in message: MessageTemplate) -> MessageTemplate.Field {
    cells.reduce(message.fields[field]) { $0.columns[$1.column] }
  }

  /// The type of the value at this path.
  func type(in message: MessageTemplate) -> ValueType {
    isRowCount ? .integer : target(in: message).valueType
  }

  /// How the value at this path is encoded; nil for a group, and for the number of its rows.
  func encoding(in message: MessageTemplate) -> FieldEncoding? { target(in: message).encoding }

  /// The value that an absent field of Protocol Buffers has; nil for another field.
  func absentValue(in message: MessageTemplate) -> Value? {
    guard !isRowCount else { return nil }
    let field = target(in: message)
    return field.presence == .implicit ? .zero(of: field.valueType) : nil
  }

  /// Picks the value from those of a message; nil if the message lacks it.
  func value(in values: [Value?]) -> Value? {
    var value = values[field]
    for cell in cells {
      guard case .group(let rows) = value, rows.indices.contains(cell.row) else { return nil }
      value = rows[cell.row][cell.column]
    }
    guard isRowCount else { return value }
    guard case .group(let rows) = value else { return nil }
    return .integer(Int64(rows.count))
  }

  /// The row of a group that contains the value; nil if it is not in the group.
  func row(in group: FieldPath) -> Int? {
    guard field == group.field, cells.count > group.cells.count, cells.starts(with: group.cells) else {
      return nil
    }
    return cells[group.cells.count].row
  }
}
