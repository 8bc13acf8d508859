import DeviceModel

/// The rules by trigger, in the order of the file.
struct RuleLookup: Sendable {
  private var byTrigger: [Rule.Trigger: [Int]] = [:]
  private var byEndpoint: [Endpoint: Receivers] = [:]

  /// The rules that wait for messages at one place.
  private struct Receivers {
    var messages: RuleIndex
    /// The rules that take any frame.
    var any: [Int]
    /// The message of each rule.
    var messageOfRule: [Int: Int]
  }

  init(_ definition: PeripheralDefinition) {
    var messages: [Endpoint: [(rule: Int, message: Int?)]] = [:]
    for (index, rule) in definition.rules.enumerated() {
      for trigger in rule.triggers {
        if case .received(let message, let endpoint) = trigger {
          messages[endpoint, default: []].append((index, message))
        } else {
          byTrigger[trigger, default: []].append(index)
        }
      }
    }
    byEndpoint = messages.mapValues { rules in
      let named = rules.compactMap { rule in rule.message.map { (rule: rule.rule, message: $0) } }
      return Receivers(
        messages: RuleIndex(named.map { ($0.rule, definition.messages[$0.message]) }),
        any: rules.filter { $0.message == nil }.map(\.rule),
        messageOfRule: Dictionary(uniqueKeysWithValues: named.map { ($0.rule, $0.message) }))
    }
  }

  func rules(for trigger: Rule.Trigger) -> [Int] { byTrigger[trigger] ?? [] }

  func hasRules(for trigger: Rule.Trigger) -> Bool { byTrigger[trigger] != nil }

  func hasReceivers(_ endpoint: Endpoint) -> Bool { byEndpoint[endpoint] != nil }

  /// The rules that may take a frame.
  func receivers(of frame: [UInt8], at endpoint: Endpoint) -> [Int] {
    guard let receivers = byEndpoint[endpoint] else { return [] }
    let candidates = receivers.messages.candidates(for: frame)
    return receivers.any.isEmpty ? candidates : (candidates + receivers.any).sorted()
  }

  /// The message that a rule waits for; nil: any frame.
  func message(of rule: Int, at endpoint: Endpoint) -> Int? { byEndpoint[endpoint]?.messageOfRule[rule] }
}
