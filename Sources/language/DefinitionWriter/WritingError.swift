import DeviceModel

/// Why the language has no text for a part of a model. No model that the loader has made has such a part.
package enum WritingError: Error, Hashable, Sendable {
  /// An expression needs something that has no name where the expression stands.
  case noName(Expression)
  /// A value that no text stands for, such as rows.
  case noText(Value)
  /// A table has more rows than a definition may list, and cells that a CSV file cannot have.
  case tooManyRows(table: String)
  /// A place frames its bytes in a way that the language does not have.
  case noFraming(place: String)
}

extension WritingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noName(let expression): "an expression needs a name for \(expression), and there is none"
    case .noText(let value): "no text stands for the value \(value)"
    case .tooManyRows(let table):
      "the table '\(table)' has too many rows for a definition, and cells that CSV cannot have"
    case .noFraming(let place): "the language cannot describe the framing of '\(place)'"
    }
  }
}
