/// Mistakes in a control, or in a rule that waits for one.
extension Mistake {
  static func unknownControl(_ name: String, known: [String]) -> Self {
    Self(
      "no control '\(name)'",
      known.isEmpty ? "controls: { \(name): { do: [ … ] } }" : Suggestion.hint(for: name, in: known))
  }
  static func ofEachCentral(_ name: String) -> Self {
    Self(
      "each central has its own '\(name)', so it cannot be set from outside",
      "use a variable without 'per: central'")
  }
  static func unusedControl(_ name: String) -> Self {
    Self(
      "nothing waits for the control '\(name)'",
      "give it 'do' or 'set', or add a rule with on: { control: \(name) }")
  }
  static func neverDone(taker: Int) -> Self {
    Self(
      "these actions never run: the rule in line \(taker) handles the event",
      "give that rule a condition, or remove 'do'")
  }
}
