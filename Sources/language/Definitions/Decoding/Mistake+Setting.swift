import DeviceModel

/// Mistakes in the limits of a setting or a variable, or in a generator.
extension Mistake {
  static func secondChoice(_ value: Value) -> Self { Self("a second '\(value)'") }
  static let negativeSize = Self("'max' cannot be negative")
  static func tooLargeSize(_ size: Int, most: Int) -> Self {
    Self("\(size) bytes", "at most \(most) are possible")
  }
  static let randomOfAnySize = Self("a random default needs its size", "add 'max', the number of bytes")
  static func randomVariable(_ name: String) -> Self {
    Self(
      "only a setting has a random default",
      "a rule draws it: { on: connect, do: { set: { \(name): random-bytes(16) } } }")
  }
  static let emptyRange = Self("'min' is greater than 'max'")
  static func tooLargeNumber(_ text: String) -> Self { Self("\(text) is too large", "less than 1e15") }
  static func tooShortPeriod(_ text: String) -> Self { Self("'\(text)' is too short", "at least 1ms") }
}

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
