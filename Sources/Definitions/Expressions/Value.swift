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
  /// Rows of values: what a repeated part of a message holds.
  case group([DataTable.Column])

  /// The type that a definition file calls by this word.
  package init?(word: String) {
    switch word {
    case "integer": self = .integer
    case "decimal": self = .decimal
    case "text": self = .text
    case "bytes": self = .bytes
    case "boolean": self = .boolean
    default: return nil
    }
  }

  package var isNumber: Bool { self == .integer || self == .decimal }

  /// The type with its article, for sentences.
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
  /// One row for each repetition, in each one value for each column.
  case group([[Value]])

  /// A group does not know its columns: its type has none.
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

  /// What stands for "nothing" in a type: 0, empty, false.
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

extension Value: CustomStringConvertible {
  /// As it appears in a text template and in the log.
  package var description: String {
    switch self {
    case .integer(let number): String(number)
    case .decimal(let number): String(number)
    case .text(let text): text
    case .bytes(let bytes): HexText.format(bytes)
    case .boolean(let flag): String(flag)
    case .group(let rows):
      rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " ")
    }
  }
}
