import DeviceModel

/// The rules by trigger, in the order of the file, and the places of their messages.
struct RuleLookup: Sendable {
  private var byTrigger: [Rule.Trigger: [Int]] = [:]
  /// The wire side, the characteristics, the channels: a dictionary would take a thousand instructions for a frame.
  private var places: [Place]
  /// The index of the first channel in `places`.
  private let firstChannel: Int
  private let firstSought: Int
  /// The rules that place the response to what triggers them.
  private let placing: Set<Int>

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
          // The loss of a link is a disconnection.
          if trigger == .disconnected { byTrigger[.linkLost, default: []].append(index) }
        }
      }
    }
    let endpoints =
      [Endpoint.wire] + definition.characteristics.indices.map(Endpoint.characteristic)
      + definition.channels.indices.map(Endpoint.channel) + definition.sought.indices.map(Endpoint.sought)
    firstChannel = 1 + definition.characteristics.count
    firstSought = firstChannel + definition.channels.count
    placing = Set(definition.rules.indices.filter { definition.rules[$0].placesResponse })
    places = endpoints.map { Place($0, receivers[$0] ?? [], in: definition) }
  }

  func rules(for trigger: Rule.Trigger) -> [Int] { byTrigger[trigger] ?? [] }

  func placesResponse(rule: Int) -> Bool { !placing.isEmpty && placing.contains(rule) }

  func hasRules(for trigger: Rule.Trigger) -> Bool { byTrigger[trigger] != nil }

  subscript(endpoint: Endpoint) -> Place {
    switch endpoint {
    case .wire: places[0]
    case .characteristic(let index): places[1 + index]
    case .channel(let index): places[firstChannel + index]
    case .sought(let index): places[firstSought + index]
    }
  }
}
