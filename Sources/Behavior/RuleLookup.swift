import DeviceModel

/// The rules by trigger, in the order of the file.
struct RuleLookup: Sendable {
  private var byTrigger: [Rule.Trigger: [Int]] = [:]
  /// By ``Rule/Endpoint/order``, from the wire side on: a dictionary would take a thousand instructions for a frame.
  private var places: [Receivers?]

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
    places = Array(repeating: nil, count: definition.characteristics.count + 1)
    for (endpoint, rules) in messages {
      let named = rules.compactMap { rule in rule.message.map { (rule: rule.rule, message: $0) } }
      places[endpoint.place] = Receivers(
        messages: RuleIndex(named.map { ($0.rule, definition.messages[$0.message]) }),
        any: rules.filter { $0.message == nil }.map(\.rule),
        messageOfRule: Dictionary(uniqueKeysWithValues: named.map { ($0.rule, $0.message) }))
    }
  }

  func rules(for trigger: Rule.Trigger) -> [Int] { byTrigger[trigger] ?? [] }

  func hasRules(for trigger: Rule.Trigger) -> Bool { byTrigger[trigger] != nil }

  func hasReceivers(_ endpoint: Endpoint) -> Bool { places[endpoint.place] != nil }

  /// The rules that may take a frame.
  func receivers(of frame: [UInt8], at endpoint: Endpoint) -> [Int] {
    guard let receivers = places[endpoint.place] else { return [] }
    let candidates = receivers.messages.candidates(for: frame)
    return receivers.any.isEmpty ? candidates : (candidates + receivers.any).sorted()
  }

  /// The message that a rule waits for; nil: any frame.
  func message(of rule: Int, at endpoint: Endpoint) -> Int? {
    places[endpoint.place]?.messageOfRule[rule]
  }
}

extension Rule.Endpoint {
  fileprivate var place: Int { order + 1 }
}
