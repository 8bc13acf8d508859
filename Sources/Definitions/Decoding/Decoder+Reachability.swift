/// Rules that can never fire.
extension DefinitionDecoder {
  /// A rule is out of reach where an earlier one takes everything that it waits for.
  func checkReachability() {
    for (index, rule) in definition.rules.enumerated() where !rule.triggers.isEmpty {
      let file = ruleNodes[index].range.source
      // That of a definition which extends this one does so on purpose.
      let candidates = definition.rules[..<index].indices.filter { ruleNodes[$0].range.source == file }
      let takers = rule.triggers.map { trigger in
        candidates.first { definition.rules[$0].takes(all: trigger, of: rule, in: definition) }
      }
      guard !takers.contains(nil) else { continue }
      report(ruleNodes[index], takenBy: Set(takers.compactMap { $0 }).sorted().map { ruleNodes[$0] })
    }
  }

  private func report(_ node: YAMLNode, takenBy earlier: [YAMLNode]) {
    let lines = earlier.map { String($0.range.start.line) }
    let rules =
      lines.count == 1
      ? "the rule in line \(lines[0]) takes" : "the rules in lines \(lines.joined(separator: " and ")) take"
    log.error(
      "this rule can never fire: \(rules) what it waits for", at: (node["on"] ?? node).startRange,
      hint: lines.count == 1
        ? "put it before that one, or give that one a condition"
        : "put it before them, or give them conditions")
  }
}

extension Rule {
  /// Whether it fires whenever `rule` could at `trigger`, so that `rule` never does.
  fileprivate func takes(all trigger: Trigger, of rule: Rule, in definition: PeripheralDefinition) -> Bool {
    guard condition == nil else { return false }
    if let states, !(rule.states ?? Set(definition.states.indices)).isSubset(of: states) { return false }
    return triggers.contains { $0.covers(trigger, in: definition) }
  }
}

extension Rule.Trigger {
  /// Whether each event of the other is one of this.
  fileprivate func covers(_ other: Self, in definition: PeripheralDefinition) -> Bool {
    guard case .received(let message, let port) = self, case .received(let otherMessage, port) = other else {
      return self == other
    }
    guard let message else { return true }
    guard let otherMessage else { return false }
    return message == otherMessage || definition.messages[message].covers(definition.messages[otherMessage])
  }
}
