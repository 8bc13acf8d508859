extension Rule.Trigger {
  /// The events that one word stands for.
  package static let words: KeyValuePairs<String, Self> = [
    "start": .started, "connect": .connected, "disconnect": .disconnected, "link-lost": .linkLost,
    "parameters": .parametersChanged, "parameters-refused": .parametersRefused, "phy": .phyChanged,
    "paired": .paired, "bonded": .bonded, "pairing-failed": .pairingFailed, "encrypted": .encrypted,
    "encryption-failed": .encryptionFailed, "address": .addressChanged,
  ]
}

/// The triggers that `any` stands for.
extension PeripheralDefinition {
  /// All triggers of the same kind, in the order of the definition; nil: the kind has only one.
  package func allTriggers(like trigger: Rule.Trigger) -> [Rule.Trigger]? {
    switch trigger {
    case .subscribed: notifying.map { .subscribed($0) }
    case .unsubscribed: notifying.map { .unsubscribed($0) }
    case .read:
      characteristics.indices.map { .characteristic($0) }.filter(characteristics.canRead).filter(hasRequests)
        .map { .read($0) }
    case .written, .configured:
      characteristics.indices.map { .characteristic($0) }.filter(characteristics.canWrite).filter(hasRequests)
        .map { .written($0) }
    case .opened: channels.indices.map { .opened($0) }
    case .closed: channels.indices.map { .closed($0) }
    case .found: sought.indices.map { .found($0) }
    case .missing: sought.indices.map { .missing($0) }
    case .refused: sought.indices.map { .refused($0) }
    case .timer: timers.indices.map { .timer($0) }
    case .entered: states.indices.map { .entered($0) }
    case .left: states.indices.map { .left($0) }
    case .control: controls.indices.map { .control($0) }
    case .set: slots.filter { !self[$0].isPerCentral }.map { .set($0) }
    case .changed: slots.filter { !self[$0].isPerCentral }.map { .changed($0) }
    default: nil
    }
  }

  /// The name of what a trigger is about, as `origin` has it; nil: it has none.
  package func name(of trigger: Rule.Trigger) -> String? {
    switch trigger {
    case .received(_, let endpoint): name(of: endpoint)
    case .subscribed(let index), .unsubscribed(let index): characteristics[index].id
    case .read(let attribute), .written(let attribute): name(of: attribute)
    case .configured(let index): characteristics[index].id + "/2902"
    case .opened(let index), .closed(let index): channels[index].id
    case .found(let index), .missing(let index), .refused(let index): sought[index].id
    case .timer(let index): timers[index]
    case .entered(let index), .left(let index): states[index]
    case .control(let index): controls[index].name
    case .set(let slot), .changed(let slot): self[slot].name
    default: nil
    }
  }

  private var notifying: [Int] { characteristics.indices.filter { characteristics[$0].canNotify } }

  /// Whether rules see the requests to a characteristic.
  private func hasRequests(_ attribute: AttributeReference) -> Bool {
    !serverValues.contains(attribute.characteristic)
  }
}
