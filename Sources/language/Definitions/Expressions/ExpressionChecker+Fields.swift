import DeviceModel

/// The checks for the field types of messages.
extension ExpressionChecker {
  /// A field whose numbers have names must be compared with one of them.
  func checkName(_ field: Expression, _ other: Expression, at range: Range<Int>) throws(TextError) {
    guard case .constant(.text(let name)) = other, let known = scope.numberNames(of: field),
      !known.contains(name)
    else { return }
    throw TextError(.unknownNumberName(name, known: known), range)
  }
}
