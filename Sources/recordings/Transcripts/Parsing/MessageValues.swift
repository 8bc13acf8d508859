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
    var rowsLeft = Self.mostRows
    return message.fields.enumerated().map { value(at: FieldPath(field: $0), $1, &rowsLeft) }
  }

  /// The names of required values that are missing, but only the first of very many. A row needs all its fields.
  var missing: [String] {
    var names: [String] = []
    var rowsLeft = Self.mostRows
    for (index, field) in message.fields.enumerated() {
      addMissing(at: FieldPath(field: index), field, &names, &rowsLeft)
    }
    return names
  }

  /// More than the rows of any message, at all depths.
  private static let mostRows = TemplateProgram.mostGroups * MessageTemplate.maximumSize + 1
  private static let mostMissing = 256
}

extension MessageValues {
  private func value(
    at path: FieldPath, _ field: MessageTemplate.Field, _ rowsLeft: inout Int
  ) -> Value? {
    guard field.valueType.isGroup else { return given[path] }
    var rows: [[Value?]] = []
    for row in 0..<rowCount(of: path, &rowsLeft) {
      rows.append(
        field.columns.enumerated().map { value(at: path.cell(row: row, column: $0), $1, &rowsLeft) })
    }
    return rows.isEmpty && field.presence != .always ? nil : .group(rows)
  }

  private func addMissing(
    at path: FieldPath, _ field: MessageTemplate.Field, _ names: inout [String], _ rowsLeft: inout Int
  ) {
    guard field.valueType.isGroup else {
      if field.presence == .always, given[path] == nil, names.count < Self.mostMissing {
        names.append(path.name(in: message))
      }
      return
    }
    for row in 0..<rowCount(of: path, &rowsLeft) {
      for (index, column) in field.columns.enumerated() {
        addMissing(at: path.cell(row: row, column: index), column, &names, &rowsLeft)
      }
    }
  }

  /// The number of rows that the size or a field implies.
  private func rowCount(of group: FieldPath, _ rowsLeft: inout Int) -> Int {
    var count = 0
    for (path, value) in given {
      if path == group.rowCount, case .integer(let number) = value {
        count = max(count, Int(clamping: number))
      } else if let row = path.row(in: group) {
        count = max(count, row + 1)
      }
    }
    count = min(count, FieldPath.rows.upperBound, rowsLeft)
    rowsLeft -= count
    return count
  }
}
