import DeviceModel

/// Rules that can never fire.
extension DefinitionDecoder {
  /// A rule is out of reach where earlier ones take everything that it waits for.
  func checkReachability() {
    var unconditional: [Int] = []
    for (index, rule) in definition.rules.enumerated() {
      if !rule.triggers.isEmpty, let takers = takers(of: index, among: unconditional) {
        report(ruleNodes[index], takenBy: takers.map { ruleNodes[$0] })
      }
      if rule.condition == nil { unconditional.append(index) }
    }
  }

  /// The rules that together take all that a rule waits for; nil where some of it is left.
  private func takers(of index: Int, among earlier: [Int]) -> [Int]? {
    let file = ruleNodes[index].range.source
    var left = Set(definition.rules[index].triggers)
    var takers: [Int] = []
    // That of a definition which extends this one does so on purpose.
    for taker in earlier where ruleNodes[taker].range.source == file {
      let count = left.count
      definition.rules[taker].take(from: &left, of: definition.rules[index], in: definition)
      if left.count < count { takers.append(taker) }
      if left.isEmpty { return takers }
    }
    return nil
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
  /// Removes the triggers at which this one fires whenever `rule` could, so that `rule` never does.
  fileprivate func take(from left: inout Set<Trigger>, of rule: Rule, in definition: PeripheralDefinition) {
    if let states, !(rule.states ?? Set(definition.states.indices)).isSubset(of: states) { return }
    let ports = receivingPorts
    guard !ports.isEmpty, !rule.receivingPorts.isEmpty else { return left.subtract(triggers) }
    let common = left.filter { trigger in trigger.port.map { ports.contains($0) } ?? false }
    // Each of the two waits for one message, at all of its places.
    if !common.isEmpty, takes(rule.message, in: definition) { left.subtract(common) }
  }

  /// Where it waits for messages.
  private var receivingPorts: Set<Port> { Set(triggers.compactMap(\.port)) }

  /// The message that it waits for; nil: any frame.
  private var message: Int? {
    if case .received(let message, _)? = triggers.first { message } else { nil }
  }

  private func takes(_ other: Int?, in definition: PeripheralDefinition) -> Bool {
    guard let message else { return true }
    guard let other else { return false }
    return message == other || definition.messages[message].covers(definition.messages[other])
  }
}
