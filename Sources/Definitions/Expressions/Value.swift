import Framing

/// The types of the expression language.
package enum ValueType: String, Hashable, Sendable {
  /// A whole number of 64 bits.
  case integer
  /// A number with a fraction, a double.
  case decimal
  case text
  case bytes
  case boolean

  package var isNumber: Bool { self == .integer || self == .decimal }

  /// The type with its article, for sentences.
  package var phrase: String {
    switch self {
    case .integer: "an integer"
    case .decimal: "a decimal number"
    case .text: "text"
    case .bytes: "bytes"
    case .boolean: "true or false"
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

  package var type: ValueType {
    switch self {
    case .integer: .integer
    case .decimal: .decimal
    case .text: .text
    case .bytes: .bytes
    case .boolean: .boolean
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
    }
  }
}
