/// A mistake in a control, or in a rule that waits for one.
enum ControlMistake: Mistake {
  case unknownControl(String, known: [String])
  /// Each central has its own value of the variable, so there is none to set from outside.
  case ofEachCentral(String)
  /// No rule waits for the control, and it sets nothing.
  case unused(String)
  /// The rule in this line does something else each time.
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
        "each central has a '\(name)' of its own, so it cannot be set from outside",
        "use a variable without 'per: central'"
      )
    case .unused(let name):
      (
        "nothing waits for the control '\(name)'",
        "give it 'do' or 'set', or add a rule with on: { control: \(name) }"
      )
    case .neverDone(let taker):
      (
        "this is never done: the rule in line \(taker) takes the event",
        "give that rule a condition, or remove 'do'"
      )
    }
  }
}
