import DeviceModel

/// The given values of a message to build.
struct MessageValues {
  private let message: MessageTemplate
  private var given: [FieldPath: Value] = [:]

  init(_ message: MessageTemplate) {
    self.message = message
  }

  subscript(path: FieldPath) -> Value? {
    get { given[path] }
    set { given[path] = newValue }
  }

  /// The argument for ``MessageTemplate/build(_:)``; use it only if nothing is ``missing``.
  var fields: [Value?] {
    message.fields.enumerated().map { index, field in
      guard field.valueType.isGroup else { return given[.field(index)] }
      let rows = rows(of: index).map { row in
        field.columns.indices.map { given[.cell(index, row: row, column: $0)] ?? .integer(0) }
      }
      return rows.isEmpty && field.presence != .always ? nil : .group(rows)
    }
  }

  /// The names of required values that are not given. A row needs all its fields.
  var missing: [String] {
    message.fields.enumerated().flatMap { index, field in
      let needed =
        field.valueType.isGroup
        ? rows(of: index).flatMap { row in
          field.columns.indices.map { FieldPath.cell(index, row: row, column: $0) }
        } : field.presence == .always ? [.field(index)] : []
      return needed.filter { given[$0] == nil }.map { $0.name(in: message) }
    }
  }

  /// The rows that the size or a field implies.
  private func rows(of group: Int) -> Range<Int> {
    var count = 0
    for (path, value) in given where path.field == group {
      switch (path, value) {
      case (.cell(_, let row, _), _): count = max(count, row + 1)
      case (.rowCount, .integer(let number)): count = max(count, Int(clamping: number))
      default: break
      }
    }
    return 0..<min(count, FieldPath.rows.upperBound)
  }
}

extension FieldPath {
  /// The type of the value at this path.
  func type(in message: MessageTemplate) -> ValueType {
    switch self {
    case .field(let index): message.fields[index].valueType
    case .rowCount: .integer
    case .cell(let index, _, let column): message.fields[index].columns[column].valueType
    }
  }

  /// How the value at this path is encoded; nil for a group, and for the number of its rows.
  func encoding(in message: MessageTemplate) -> FieldEncoding? {
    switch self {
    case .field(let index): message.fields[index].encoding
    case .rowCount: nil
    case .cell(let index, _, let column): message.fields[index].columns[column].encoding
    }
  }
}
