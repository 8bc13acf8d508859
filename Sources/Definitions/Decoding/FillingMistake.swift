import DeviceModel
import Framing

/// A mistake in the values for the fields of a message that a rule sends.
enum FillingMistake: Mistake {
  /// A message that is written in the rule has further values in `with`.
  case valuesBesideMessage
  case unknownField(String, message: String, known: [String])
  /// - Parameter other: the type of the value that has the field's name in the rule, if there is one.
  case unfilledField(String, message: String, other: ValueType?)
  /// Some fields of an optional part have values, but others do not.
  case incompletePart(missing: String, message: String, given: [String])
  /// A field that takes one value has a list.
  case list(field: String)
  case badConstant(field: String, any Error)
  /// A table does not have the columns of a group.
  case missingColumns(table: String, expected: [String])
  /// A row has a field that its group does not have.
  case unknownCell(String, known: [String])
  /// A row does not have a field of its group.
  case unfilledCell(String)
}

extension FillingMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .valuesBesideMessage:
      (
        "a message without a name takes no 'with'",
        "write the values into its holes: {level + 1: u8}"
      )
    case .unknownField(let name, let message, let known):
      (
        "'\(message)' has no field '\(name)'",
        name == "size" || Checksum.named(name) != nil
          ? "blemu itself fills in sizes and checksums"
          : known.isEmpty ? "it has none" : Suggestion.hint(for: name, in: known)
      )
    case .unfilledField(let name, let message, let other):
      (
        "the field '\(name)' of '\(message)' has no value",
        (other.map { "'\(name)' is \($0.phrase) here; " } ?? "") + "add with: { \(name): … }"
      )
    case .incompletePart(let missing, let message, let given):
      (
        "the field '\(missing)' of '\(message)' has no value, but others of its optional part have one",
        "fill all fields of the part, or leave out \(given.joined(separator: ", "))"
      )
    case .list(let field): ("'\(field)' takes one value, not a list", nil)
    case .badConstant(let field, let error): ("'\(field)': \(error)", nil)
    case .missingColumns(let table, let expected):
      ("'\(table)' does not have the columns \(expected.joined(separator: ", "))", nil)
    case .unknownCell(let name, let known):
      ("a row has no field '\(name)'", Suggestion.hint(for: name, in: known))
    case .unfilledCell(let name): ("the field '\(name)' of this row has no value", nil)
    }
  }
}
