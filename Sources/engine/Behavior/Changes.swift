import DeviceModel

/// The settings and variables that rules have set in a turn, with their values before, for rules that wait for a change.
struct Changes: Sendable {
  private var former: [(slot: Rule.Slot, value: Value)] = []

  var isEmpty: Bool { former.isEmpty }

  /// Remembers the value before the first change.
  mutating func note(_ slot: Rule.Slot, _ value: Value) {
    if !former.contains(where: { $0.slot == slot }) { former.append((slot, value)) }
  }

  /// The next slot that has another value now; nil: there is none.
  mutating func next(in context: EvaluationContext) -> Rule.Slot? {
    while !former.isEmpty {
      let (slot, value) = former.removeFirst()
      if context.value(of: slot) != value { return slot }
    }
    return nil
  }

  mutating func removeAll() { if !former.isEmpty { former = [] } }
}
