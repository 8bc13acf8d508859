import DeviceModel

/// The rules by trigger, in the order of the file, and the places of their messages.
struct RuleLookup: Sendable {
  private var byTrigger: [Rule.Trigger: [Int]] = [:]
  /// By ``Rule/Endpoint/order``, from the wire side on: a dictionary would take a thousand instructions for a frame.
  private var places: [Place]

  init(_ definition: PeripheralDefinition) {
    var receivers: [Endpoint: [Place.Receiver]] = [:]
    for (index, rule) in definition.rules.enumerated() {
      for trigger in rule.triggers {
        if case .received(let message, let endpoint) = trigger {
          let receiver = Place.Receiver(
            rule: index, message: message, fields: message.flatMap { rule.commonFields[$0] })
          receivers[endpoint, default: []].append(receiver)
        } else {
          byTrigger[trigger, default: []].append(index)
        }
      }
    }
    let endpoints = [Endpoint.wire] + definition.characteristics.indices.map(Endpoint.characteristic)
    places = endpoints.map { Place($0, receivers[$0] ?? [], in: definition) }
  }

  func rules(for trigger: Rule.Trigger) -> [Int] { byTrigger[trigger] ?? [] }

  func hasRules(for trigger: Rule.Trigger) -> Bool { byTrigger[trigger] != nil }

  subscript(endpoint: Endpoint) -> Place { places[endpoint.order + 1] }
}
