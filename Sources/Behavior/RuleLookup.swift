import DeviceModel

/// The rules by trigger, in the order of the file, and what each place has. To ask the definition for it would copy that at
/// each frame.
struct RuleLookup: Sendable {
  private var byTrigger: [Rule.Trigger: [Int]] = [:]
  /// By ``Rule/Endpoint/order``, from the wire side on: a dictionary would take a thousand instructions for a frame.
  private var places: [Receivers?]
  /// By the same; empty if nothing is encoded.
  private var codings: [StreamCoding?]

  /// A rule that may take a frame.
  struct Receiver: Sendable {
    let rule: Int
    /// The message that it waits for; nil: any frame.
    let message: Int?
    /// The message's fields in the order of the rule's; nil: they are the rule's.
    let fields: [Int]?
  }

  /// The rules that wait for messages at one place. As a class it costs nothing to pass on.
  final class Receivers: Sendable {
    /// In the order of the file.
    let all: [Receiver]
    /// Finds those with a message, by their index in `all`.
    private let messages: RuleIndex
    /// The indices of those that take any frame.
    private let any: [Int]

    init(_ all: [Receiver], in definition: PeripheralDefinition) {
      self.all = all
      messages = RuleIndex(
        all.indices.compactMap { index in
          all[index].message.map { (rule: index, message: definition.messages[$0]) }
        })
      any = all.indices.filter { all[$0].message == nil }
    }

    /// The indices of those that may take a frame, in the order of the file.
    func candidates(for frame: [UInt8]) -> [Int] {
      let candidates = messages.candidates(for: frame)
      return any.isEmpty ? candidates : (candidates + any).sorted()
    }
  }

  init(_ definition: PeripheralDefinition) {
    var receivers: [Endpoint: [Receiver]] = [:]
    for (index, rule) in definition.rules.enumerated() {
      for trigger in rule.triggers {
        if case .received(let message, let endpoint) = trigger {
          let receiver = Receiver(
            rule: index, message: message, fields: message.flatMap { rule.commonFields[$0] })
          receivers[endpoint, default: []].append(receiver)
        } else {
          byTrigger[trigger, default: []].append(index)
        }
      }
    }
    places = Array(repeating: nil, count: definition.characteristics.count + 1)
    for (endpoint, receivers) in receivers {
      places[endpoint.place] = Receivers(receivers, in: definition)
    }
    codings = [definition.wire.coding] + definition.characteristics.map(\.coding)
    if codings.allSatisfy({ $0 == nil }) { codings = [] }
  }

  func rules(for trigger: Rule.Trigger) -> [Int] { byTrigger[trigger] ?? [] }

  func hasRules(for trigger: Rule.Trigger) -> Bool { byTrigger[trigger] != nil }

  func hasReceivers(_ endpoint: Endpoint) -> Bool { places[endpoint.place] != nil }

  /// How the bytes of a place are encoded; nil: they are as they are.
  func coding(of endpoint: Endpoint) -> StreamCoding? { codings.isEmpty ? nil : codings[endpoint.place] }

  func receivers(at endpoint: Endpoint) -> Receivers? { places[endpoint.place] }
}

extension Rule.Endpoint {
  fileprivate var place: Int { order + 1 }
}
