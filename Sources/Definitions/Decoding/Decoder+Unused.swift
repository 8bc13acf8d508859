import DeviceModel

/// What stands in a file and comes to nothing.
extension DefinitionDecoder {
  /// A timer that runs out for nobody.
  func checkTimers() {
    let starts = values(of: "start")
    for (index, name) in definition.timers.enumerated() where !waits(for: .timer(index)) {
      guard let node = starts.first(where: { $0.text == name }) else { continue }
      log.warn(
        "no rule waits for the timer '\(name)'", at: node.range,
        hint: "add a rule with on: { timer: \(name) }")
    }
  }

  /// A state that nothing enters. The first is there without being entered.
  func checkStates() {
    let entered = Set(values(of: "enter").compactMap(\.text))
    for node in (root["states"]?.elements ?? []).dropFirst() where !entered.contains(node.text ?? "") {
      log.warn(
        "nothing enters the state '\(node.text ?? "")'", at: node.range,
        hint: "an action enters it: { enter: \(node.text ?? "") }")
    }
    guard let first = definition.states.first, !entered.contains(first) else { return }
    for node in ruleNodes.compactMap({ $0["on"]?["enter"] }) where node.text == first {
      log.warn(
        "the first state is not entered at the start, and nothing enters it later", at: node.range,
        hint: "use on: start")
    }
  }

  /// A variable that is only set, or only read, or neither.
  func checkVariables() {
    let set = Set(values(of: "set").flatMap(\.entries).compactMap(\.key.text))
    for (index, entry) in (root["variables"]?.entries ?? []).enumerated() {
      let name = entry.key.text ?? ""
      if !scope.record.isUsed(.variable(index)) {
        let verb = set.contains(name) ? "reads" : "uses"
        log.warn("nothing \(verb) the variable '\(name)'", at: entry.key.range, hint: "remove it")
      } else if !set.contains(name) {
        log.warn(
          "nothing sets the variable '\(name)'", at: entry.key.range,
          hint: "an action sets it: { set: { \(name): … } }; what never changes is a setting")
      }
    }
  }

  /// What waits for ever, or is released without ever having waited.
  func checkHolding() {
    for (verb, opposite) in [("hold", "release"), ("release", "hold")] {
      let others = Set(values(of: opposite).compactMap(\.text))
      var seen: Set<String> = []
      for node in values(of: verb) {
        guard let name = node.text, !others.contains(name), seen.insert(name).inserted else { continue }
        log.warn(
          verb == "hold" ? "nothing releases what waits at '\(name)'" : "nothing ever waits at '\(name)'",
          at: node.range, hint: "an action does it: { \(opposite): \(name) }")
      }
    }
  }

  private func waits(for trigger: Rule.Trigger) -> Bool {
    definition.rules.contains { $0.triggers.contains(trigger) }
  }

  /// What stands behind a verb in all actions.
  private func values(of verb: String) -> [YAMLNode] {
    ruleNodes.flatMap(\.actionsBelow).compactMap { $0[verb] }
  }
}
