import DeviceModel

/// The rules by trigger, in the order of the file, and the places of their messages.
struct RuleLookup: Sendable {
  private let numbers: TriggerNumbers
  /// The rules, trigger by trigger.
  private let rules: [Int]
  /// By the number of a trigger, where its rules begin. Those of the next one follow.
  private let starts: [Int]
  private let places: PlaceTable
  /// By layer, the rules that send what goes out of it.
  private let exits: [Place]
  /// Whether a rule waits for a change of a setting or a variable.
  let awaitsChanges: Bool

  init(_ definition: PeripheralDefinition) {
    let numbers = TriggerNumbers(definition)
    awaitsChanges = definition.rules.contains { rule in
      rule.triggers.contains { if case .changed = $0 { true } else { false } }
    }
    var byTrigger: [[Int]] = Array(repeating: [], count: numbers.count)
    var receivers: [Endpoint: [(rule: Int, message: Int?)]] = [:]
    var senders: [Int: [(rule: Int, message: Int?)]] = [:]
    for (index, rule) in definition.rules.enumerated() {
      for trigger in rule.triggers {
        if case .received(let message, let endpoint) = trigger {
          receivers[endpoint, default: []].append((index, message))
        } else if case .sent(let message, let layer) = trigger {
          senders[layer, default: []].append((index, message))
        } else {
          byTrigger[numbers[trigger]].append(index)
          // The loss of a link is a disconnection.
          if trigger == .disconnected { byTrigger[numbers[.linkLost]].append(index) }
        }
      }
    }
    exits = definition.layers.indices.map { layer in
      Place(.layer(layer), number: -1, senders[layer] ?? [], in: definition)
    }
    places = PlaceTable(of: definition, receivers)
    rules = Array(byTrigger.joined())
    starts = byTrigger.reduce(into: [0]) { $0.append($0.last! + $1.count) }
    self.numbers = numbers
  }

  /// Where the rules for a trigger are (``rule(at:)``).
  func rules(for trigger: Rule.Trigger) -> Range<Int> {
    let number = numbers[trigger]
    return starts[number]..<starts[number + 1]
  }

  func rule(at index: Int) -> Int { rules[index] }

  func hasRules(for trigger: Rule.Trigger) -> Bool { !rules(for: trigger).isEmpty }

  /// What goes out of a layer.
  func exit(of layer: Int) -> Place { exits[layer] }

  var placeCount: Int { places.count }

  // A call would copy the whole lookup, for each frame four times.
  @inline(__always)
  subscript(endpoint: Endpoint) -> Place { places[endpoint] }
}

/// The places of a device: a dictionary would take a thousand instructions for a frame.
private struct PlaceTable: Sendable {
  /// The wire side, the characteristics, the channels, the central's characteristics, the layers.
  private let all: [Place]
  private let firstChannel, firstSought, firstLayer: Int

  init(of definition: PeripheralDefinition, _ receivers: [Endpoint: [(rule: Int, message: Int?)]]) {
    let endpoints =
      [Endpoint.wire] + definition.characteristics.indices.map(Endpoint.characteristic)
      + definition.channels.indices.map(Endpoint.channel) + definition.sought.indices.map(Endpoint.sought)
      + definition.layers.indices.map(Endpoint.layer)
    firstChannel = 1 + definition.characteristics.count
    firstSought = firstChannel + definition.channels.count
    firstLayer = firstSought + definition.sought.count
    all = endpoints.enumerated().map { number, endpoint in
      Place(endpoint, number: number, receivers[endpoint] ?? [], in: definition)
    }
  }

  var count: Int { all.count }

  subscript(endpoint: Endpoint) -> Place {
    switch endpoint {
    case .wire: all[0]
    case .characteristic(let index): all[1 + index]
    case .channel(let index): all[firstChannel + index]
    case .sought(let index): all[firstSought + index]
    case .layer(let index): all[firstLayer + index]
    }
  }
}

/// Numbers the triggers of a device, except those of messages, from 0 up.
private struct TriggerNumbers: Sendable {
  /// The triggers that belong to nothing; see ``subscript(_:)``.
  private static let alone = 13

  private let characteristics, channels, sought, timers, states, controls, settings, variables: Int
  /// The number of the first trigger of each characteristic's descriptors.
  private let descriptors: [Int]
  let count: Int

  init(_ definition: PeripheralDefinition) {
    var next = Self.alone
    func add(_ count: Int, each: Int = 1) -> Int {
      defer { next += count * each }
      return next
    }
    characteristics = add(definition.characteristics.count, each: 5)
    channels = add(definition.channels.count, each: 2)
    sought = add(definition.sought.count, each: 3)
    timers = add(definition.timers.count)
    states = add(definition.states.count, each: 2)
    controls = add(definition.controls.count)
    settings = add(definition.settings.count, each: 2)
    variables = add(definition.variables.count, each: 2)
    descriptors = definition.characteristics.map { add($0.descriptors.count, each: 2) }
    count = next
  }

  subscript(trigger: Rule.Trigger) -> Int {
    switch trigger {
    case .started: 0
    case .connected: 1
    case .disconnected: 2
    case .linkLost: 3
    case .parametersChanged: 4
    case .parametersRefused: 5
    case .phyChanged: 6
    case .paired: 7
    case .bonded: 8
    case .pairingFailed: 9
    case .encrypted: 10
    case .encryptionFailed: 11
    case .addressChanged: 12
    case .subscribed(let index): characteristics + 5 * index
    case .unsubscribed(let index): characteristics + 5 * index + 1
    case .configured(let index): characteristics + 5 * index + 2
    case .read(.characteristic(let index)): characteristics + 5 * index + 3
    case .written(.characteristic(let index)): characteristics + 5 * index + 4
    case .read(.descriptor(let index, let characteristic)): descriptors[characteristic] + 2 * index
    case .written(.descriptor(let index, let characteristic)): descriptors[characteristic] + 2 * index + 1
    case .opened(let index): channels + 2 * index
    case .closed(let index): channels + 2 * index + 1
    case .found(let index): sought + 3 * index
    case .missing(let index): sought + 3 * index + 1
    case .refused(let index): sought + 3 * index + 2
    case .timer(let index): timers + index
    case .entered(let index): states + 2 * index
    case .left(let index): states + 2 * index + 1
    case .control(let index): controls + index
    case .set(.setting(let index)): settings + 2 * index
    case .changed(.setting(let index)): settings + 2 * index + 1
    case .set(.variable(let index)): variables + 2 * index
    case .changed(.variable(let index)): variables + 2 * index + 1
    case .received, .sent: preconditionFailure("places find the rules for messages")
    }
  }
}
