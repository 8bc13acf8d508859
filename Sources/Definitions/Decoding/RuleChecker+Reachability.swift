import DeviceModel

/// Rules that can never fire.
extension RuleChecker {
  /// Reports each rule whose events earlier rules handle completely.
  func checkReachability() {
    var index = TakerIndex()
    for (number, rule) in device.rules.enumerated() {
      if !rule.triggers.isEmpty, let takers = takers(of: number, in: index) {
        report(rules[number], takenBy: takers.map { rules[$0].rule })
      } else if rule.condition == nil {
        index.add(number, rule, of: device)
      }
    }
  }

  /// The rules that together handle all events that a rule waits for; nil if an event is left.
  private func takers(of number: Int, in index: TakerIndex) -> [Int]? {
    let (rule, file) = (device.rules[number], rules[number].rule.range.source)
    var left = Set(rule.triggers)
    var takers: [Int] = []
    // A rule of a definition that extends this one does so on purpose.
    for taker in index.candidates(for: rule, of: device) where rules[taker].rule.range.source == file {
      let count = left.count
      device.rules[taker].take(from: &left, of: rule, in: device)
      if left.count < count { takers.append(taker) }
      if left.isEmpty { return takers }
    }
    return nil
  }

  private func report(_ entry: RuleEntry, takenBy earlier: [Node<Language.Rule>]) {
    let place = entry.rule.event?.place ?? entry.rule.place
    let lines = earlier.map(\.range.start.line)
    if entry.isOfControl { return log.error(ControlMistake.neverDone(taker: lines[0]), at: place) }
    log.error(RuleMistake.unreachable(takers: lines), at: place)
  }
}

/// The rules so far that fire unconditionally, by their triggers.
private struct TakerIndex {
  private enum Key: Hashable {
    case trigger(Rule.Trigger)
    /// Frames that begin with certain bytes.
    case frames(Rule.Endpoint, [UInt8])
  }

  private var rules: [Key: [Int]] = [:]

  mutating func add(_ number: Int, _ rule: Rule, of device: PeripheralDefinition) {
    for trigger in rule.triggers {
      guard case .received(let message, let endpoint) = trigger else {
        rules[.trigger(trigger), default: []].append(number)
        continue
      }
      rules[.frames(endpoint, Self.start(of: message, device)), default: []].append(number)
    }
  }

  /// The rules that may handle a rule's events before it, in order.
  func candidates(for rule: Rule, of device: PeripheralDefinition) -> [Int] {
    var found: Set<Int> = []
    for trigger in rule.triggers {
      guard case .received(let message, let endpoint) = trigger else {
        found.formUnion(rules[.trigger(trigger)] ?? [])
        continue
      }
      // A message covers another only if the other begins with its own first bytes.
      let start = Self.start(of: message, device)
      for count in 0...start.count {
        found.formUnion(rules[.frames(endpoint, Array(start.prefix(count)))] ?? [])
      }
    }
    return found.sorted()
  }

  /// The bytes with which all frames of a message begin, as far as the index looks.
  private static func start(of message: Int?, _ device: PeripheralDefinition) -> [UInt8] {
    guard let message else { return [] }
    return device.messages[message].leadingBytes.prefix(16).prefix { $0.mask == 0xFF }.map(\.value)
  }
}

extension Rule {
  /// Removes the triggers at which this one fires whenever `rule` could, so that `rule` never does.
  fileprivate func take(from left: inout Set<Trigger>, of rule: Rule, in device: PeripheralDefinition) {
    if let states, !(rule.states ?? Set(device.states.indices)).isSubset(of: states) { return }
    left = left.filter { trigger in !triggers.contains { $0.takes(trigger, in: device) } }
  }
}

extension Rule.Trigger {
  /// Whether everything that triggers the other also triggers this one.
  fileprivate func takes(_ other: Self, in device: PeripheralDefinition) -> Bool {
    guard case .received(let message, let place) = self, case .received(let others, let otherPlace) = other
    else { return self == other }
    guard place == otherPlace else { return false }
    guard let message else { return true }
    guard let others else { return false }
    return message == others || device.messages[message].covers(device.messages[others])
  }
}
