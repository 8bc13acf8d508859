/// A mistake in a control, or in a rule that waits for one.
enum ControlMistake: Mistake {
  case unknownControl(String, known: [String])
  /// Each central has its own value of the variable, so the control has no single value to set.
  case ofEachCentral(String)
  /// No rule waits for the control, and it sets nothing.
  case unused(String)
  /// The rule in this line always handles the event first.
  case neverDone(taker: Int)
}

extension ControlMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .unknownControl(let name, let known):
      (
        "no control '\(name)'",
        known.isEmpty ? "controls: { \(name): { do: [ … ] } }" : Suggestion.hint(for: name, in: known)
      )
    case .ofEachCentral(let name):
      (
        "each central has its own '\(name)', so it cannot be set from outside",
        "use a variable without 'per: central'"
      )
    case .unused(let name):
      (
        "nothing waits for the control '\(name)'",
        "give it 'do' or 'set', or add a rule with on: { control: \(name) }"
      )
    case .neverDone(let taker):
      (
        "these actions never run: the rule in line \(taker) handles the event",
        "give that rule a condition, or remove 'do'"
      )
    }
  }
}
