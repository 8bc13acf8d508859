import DeviceModel
import Framing

/// Mistakes in the values for the fields of a message that a rule sends.
extension Mistake {
  static let valuesBesideMessage = Self(
    "a message without a name takes no 'with'", "write the values into its holes: {level + 1: u8}")
  static func unknownField(
    _ name: String, message: String, known: [String], checksums: [Checksum]
  ) -> Self {
    Self(
      "'\(message)' has no field '\(name)'",
      name == "size" || Checksum.named(name, or: checksums) != nil
        ? "blemu itself fills in sizes and checksums"
        : known.isEmpty ? "it has none" : Suggestion.hint(for: name, in: known))
  }
  /// - Parameter other: the type of the value that has the field's name in the rule, if there is one.
  static func unfilledField(_ name: String, message: String, other: ValueType?) -> Self {
    Self(
      "the field '\(name)' of '\(message)' has no value",
      (other.map { "'\(name)' is \($0.phrase) here; " } ?? "") + "add with: { \(name): … }")
  }
  static func incompletePart(missing: String, message: String, given: [String]) -> Self {
    Self(
      "the field '\(missing)' of '\(message)' has no value, but others of its optional part have one",
      "fill all fields of the part, or leave out \(given.joined(separator: ", "))")
  }
  static func unfilledPart(_ name: String, condition: String, _ number: Value) -> Self {
    Self(
      "the field '\(name)' has no value, but its part is present because '\(condition)' is \(number)",
      "give '\(name)' a value; only a part whose condition is 0 needs none")
  }
  static func listForOneValue(field: String) -> Self { Self("'\(field)' takes one value, not a list") }
  static func rowForRows(field: String) -> Self {
    Self("'\(field)' has any number of rows", "write a list: [{ … }]")
  }
  static func valueForRow(columns: [String]) -> Self {
    Self(
      "a row has \(columns.count) fields", "write { \(columns.map { "\($0): …" }.joined(separator: ", ")) }")
  }
  static let listAsCondition = Self("'if' takes a condition, not a list", "as in { if: count > 1, x: 1 }")
  static func badConstant(field: String, _ error: any Error) -> Self { Self("'\(field)': \(error)") }
  static func missingColumns(table: String, expected: [String]) -> Self {
    Self("'\(table)' does not have the columns \(expected.joined(separator: ", "))")
  }
  static func unknownCell(_ name: String, known: [String]) -> Self {
    Self(
      "a row has no field '\(name)'",
      name == Language.Action.outline.keys.otherwise.name
        ? "write another row, with the opposite 'if'" : Suggestion.hint(for: name, in: known))
  }
  static func unfilledCell(_ name: String) -> Self { Self("the field '\(name)' of this row has no value") }
}
