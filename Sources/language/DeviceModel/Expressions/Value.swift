import Framing

/// The types of the expression language.
package enum ValueType: Hashable, Sendable {
  /// A whole number of 64 bits.
  case integer
  /// A number with a fraction, a double.
  case decimal
  case text
  case bytes
  case boolean
  /// Rows with these columns, as in a repeated part of a message.
  case group([DataTable.Column])

  /// The type with this name in definition files.
  package init?(named name: String) {
    guard let type = Self.named[name] else { return nil }
    self = type
  }

  private static let named: [String: ValueType] = [
    "integer": .integer, "decimal": .decimal, "text": .text, "bytes": .bytes, "boolean": .boolean,
  ]

  /// Its name in definition files; `rows` for rows, which have no name there.
  package var name: String {
    switch self {
    case .integer: "integer"
    case .decimal: "decimal"
    case .text: "text"
    case .bytes: "bytes"
    case .boolean: "boolean"
    case .group: "rows"
    }
  }

  package var isNumber: Bool { self == .integer || self == .decimal }
  package var isGroup: Bool { if case .group = self { true } else { false } }
  /// Whether `size` applies to it.
  package var hasSize: Bool { self == .bytes || self == .text || isGroup }

  /// The type with its article, for messages.
  package var phrase: String {
    switch self {
    case .integer: "an integer"
    case .decimal: "a decimal number"
    case .text: "text"
    case .bytes: "bytes"
    case .boolean: "true or false"
    case .group(let columns): "rows of \(columns.map(\.name).joined(separator: ", "))"
    }
  }
}

/// A value of the expression language.
package enum Value: Hashable, Sendable {
  case integer(Int64)
  case decimal(Double)
  case text(String)
  case bytes([UInt8])
  case boolean(Bool)
  /// Rows, each with a value for each column of its type; nil: the field is in an absent part of the row.
  case group([[Value?]])

  /// Its type; a group's lacks the columns, which the value does not contain.
  package var type: ValueType {
    switch self {
    case .integer: .integer
    case .decimal: .decimal
    case .text: .text
    case .bytes: .bytes
    case .boolean: .boolean
    case .group: .group([])
    }
  }

  /// The empty value of a type: 0, empty, false.
  package static func zero(of type: ValueType) -> Value {
    switch type {
    case .integer: .integer(0)
    case .decimal: .decimal(0)
    case .text: .text("")
    case .bytes: .bytes([])
    case .boolean: .boolean(false)
    case .group: .group([])
    }
  }
}

extension Value {
  /// Two values that are not numbers are equal if they have the same bits.
  package static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b || a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.group(let a), .group(let b)): a == b
    default: false
    }
  }
}

extension Value: CustomStringConvertible {
  /// The text in text templates and in the log.
  package var description: String {
    switch self {
    case .integer(let number): String(number)
    case .decimal(let number): DecimalWord.word(for: number) ?? String(number)
    case .text(let text): text
    case .bytes(let bytes): HexText.format(bytes)
    case .boolean(let flag): String(flag)
    case .group(let rows):
      rows.map { row in "(\(row.map { $0?.description ?? "-" }.joined(separator: ", ")))" }
        .joined(separator: " ")
    }
  }
}
