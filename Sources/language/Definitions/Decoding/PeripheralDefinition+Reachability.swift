import DeviceModel

extension PeripheralDefinition {
  /// The rules that can never fire because earlier ones handle all their events, with those earlier ones; by index.
  ///
  /// - Parameter mayTake: whether a rule, the first, counts as a taker of another.
  package func unreachableRules(
    where mayTake: (_ taker: Int, _ rule: Int) -> Bool
  ) -> [(rule: Int, takers: [Int])] {
    var index = TakerIndex()
    var unreachable: [(rule: Int, takers: [Int])] = []
    for (number, rule) in rules.enumerated() {
      let candidates = index.candidates(for: rule, of: self).filter { mayTake($0, number) }
      if !rule.triggers.isEmpty, let takers = takers(of: rule, among: candidates) {
        unreachable.append((number, takers))
      } else if rule.condition == nil {
        index.add(number, rule, of: self)
      }
    }
    return unreachable
  }

  /// The rules that together handle all events that a rule waits for; nil if an event is left.
  private func takers(of rule: Rule, among candidates: [Int]) -> [Int]? {
    var left = rule.triggers
    var takers: [Int] = []
    for taker in candidates {
      let count = left.count
      rules[taker].take(from: &left, of: rule, in: self)
      if left.count < count { takers.append(taker) }
      if left.isEmpty { return takers }
    }
    return nil
  }
}

/// The rules so far that fire unconditionally, by their triggers.
private struct TakerIndex {
  private enum Key: Hashable {
    case trigger(Rule.Trigger)
    /// Frames that begin with certain bytes.
    case frames(Rule.Endpoint, isSent: Bool, [UInt8])
  }

  private var rules: [Key: [Int]] = [:]

  mutating func add(_ number: Int, _ rule: Rule, of device: PeripheralDefinition) {
    for trigger in rule.triggers {
      guard let endpoint = trigger.place else {
        rules[.trigger(trigger), default: []].append(number)
        continue
      }
      let start = Self.start(of: trigger.message, device)
      rules[.frames(endpoint, isSent: trigger.isSent, start), default: []].append(number)
    }
  }

  /// The rules that may handle a rule's events before it, in order.
  func candidates(for rule: Rule, of device: PeripheralDefinition) -> [Int] {
    var found: Set<Int> = []
    for trigger in rule.triggers {
      guard let endpoint = trigger.place else {
        found.formUnion(rules[.trigger(trigger)] ?? [])
        if trigger == .linkLost { found.formUnion(rules[.trigger(.disconnected)] ?? []) }
        continue
      }
      // A message covers another only if the other begins with its own first bytes.
      let start = Self.start(of: trigger.message, device)
      for count in 0...start.count {
        let key = Key.frames(endpoint, isSent: trigger.isSent, Array(start.prefix(count)))
        found.formUnion(rules[key] ?? [])
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
  fileprivate func take(from left: inout [Trigger], of rule: Rule, in device: PeripheralDefinition) {
    if let states, !(rule.states ?? Set(device.states.indices)).isSubset(of: states) { return }
    left = left.filter { trigger in !triggers.contains { $0.takes(trigger, in: device) } }
  }
}

extension Rule.Trigger {
  /// Whether it is a message that goes out of a layer.
  fileprivate var isSent: Bool { if case .sent = self { true } else { false } }

  /// Whether everything that triggers the other also triggers this one.
  fileprivate func takes(_ other: Self, in device: PeripheralDefinition) -> Bool {
    guard let place, let otherPlace = other.place else {
      return self == other || (self == .disconnected && other == .linkLost)
    }
    guard place == otherPlace, isSent == other.isSent else { return false }
    guard let message else { return true }
    guard let others = other.message else { return false }
    return message == others || device.messages[message].covers(device.messages[others])
  }
}
