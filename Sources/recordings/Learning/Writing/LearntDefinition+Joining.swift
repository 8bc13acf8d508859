import DefinitionWriter

extension LearntDefinition {
  /// Joins rules for the same event: of several, only the first one that holds fires. A rule without a condition gives its actions
  /// to those after it, which do them first.
  mutating func joinRules() {
    var joined: [LearntRule] = []
    var seen: Set<YAMLValue> = []
    let all = rules.map(LearntRule.init)
    for rule in all {
      guard let event = rule.event else {
        joined.append(rule)
        continue
      }
      if seen.insert(event).inserted { joined += Self.joined(all.filter { $0.event == event }[...]) }
    }
    rules = joined.map(\.value)
  }

  /// The rules for one event, in order.
  private static func joined(_ rules: ArraySlice<LearntRule>) -> [LearntRule] {
    guard let first = rules.first, rules.count > 1 else { return Array(rules) }
    guard first.condition == nil else { return [first] + joined(rules.dropFirst()) }
    let others = rules.dropFirst().map { rule in
      var rule = rule
      rule.actions = first.actions + rule.actions
      return rule
    }
    return joined(others[...]) + (others.contains { $0.condition == nil } ? [] : [first])
  }
}

/// A rule, as far as rules can be joined.
private struct LearntRule {
  private let original: YAMLValue
  /// nil: the rule is a group, or has something else than an event, a condition and actions.
  let event: YAMLValue?
  let condition: YAMLValue?
  var actions: [YAMLValue] {
    didSet { isChanged = true }
  }
  private var isChanged = false

  init(_ value: YAMLValue) {
    original = value
    var (event, condition, actions): (YAMLValue?, YAMLValue?, [YAMLValue]) = (nil, nil, [])
    if case .object(let entries, _) = value, entries.allSatisfy({ ["on", "if", "do"].contains($0.key) }) {
      event = entries.first { $0.key == "on" }?.value
      condition = entries.first { $0.key == "if" }?.value
      let action = entries.first { $0.key == "do" }?.value
      if case .list(let list, _) = action { actions = list } else { actions = action.map { [$0] } ?? [] }
    }
    (self.event, self.condition, self.actions) = (event, condition, actions)
  }

  var value: YAMLValue {
    guard isChanged, let event else { return original }
    var entries = [YAMLValue.Entry("on", event)]
    if let condition { entries.append(.init("if", condition)) }
    entries.append(.init("do", actions.count == 1 ? actions[0] : .list(actions, .block)))
    return .object(entries, .block)
  }
}
