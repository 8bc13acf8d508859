import DeviceModel

/// The settings and variables that rules have set in a turn, with their values before, for rules that wait for a change.
struct Changes: Sendable {
  struct Change: Sendable {
    let slot: Rule.Slot
    /// Whose value it is, if each central has its own.
    let central: Central?
    let value: Value
  }

  private var former: [Change] = []

  var isEmpty: Bool { former.isEmpty }

  /// Remembers the value before the first change.
  mutating func note(_ slot: Rule.Slot, of central: Central? = nil, _ value: Value) {
    if former.contains(where: { $0.slot == slot && $0.central == central }) { return }
    former.append(Change(slot: slot, central: central, value: value))
  }

  mutating func takeFirst() -> Change { former.removeFirst() }

  mutating func removeAll() { if !former.isEmpty { former = [] } }
}
