import Bluetooth
import DeviceModel

/// Operations of the device by a person or a test.
extension Engine {
  mutating func control(_ event: ControlEvent) {
    switch event {
    case .set(let assignments): _ = assign(assignments)
    case .operate(let control, let value): operate(control, value)
    case .send(let bytes, let endpoint, let message, let central):
      send(bytes, from: endpoint, message: message, isMessage: message != nil, to: central)
    case .advertise(let isWanted): advertise(isWanted)
    case .disconnect(let central, let reason): turn.actions.append(.disconnect(central, reason))
    case .forget(let central): turn.actions.append(.forget(central))
    case .reset:
      reset()
      settle()
    }
  }

  private mutating func operate(_ index: Int, _ value: Value?) {
    if case .bound(let slot) = definition.controls[index].kind {
      guard let value = value ?? context.value(of: slot).opposite,
        assign([ControlEvent.Assignment(slot, value)])
      else { return }
    }
    if !turn.hasReset { fire(.control(index), by: nil) }
  }

  /// Encodes bytes as their place requires, and sends them.
  mutating func send(
    _ plain: [UInt8], from endpoint: Endpoint, message: Int?, isMessage: Bool, to central: Central?
  ) {
    do {
      let bytes = try encoded(plain, isMessage: isMessage, for: endpoint)
      send(bytes, to: endpoint, message: message, for: central)
    } catch {
      remark(.unsent(endpoint, reason: "\(error)"))
    }
  }
}

extension Value {
  /// The other side of a switch; nil: the value is not one of a switch.
  fileprivate var opposite: Value? {
    if case .boolean(let isOn) = self { .boolean(!isOn) } else { nil }
  }
}

// MARK: Settings and variables

extension Engine {
  /// Sets all of them, updates attributes and advertisement, and then fires the rules that wait for them. Returns whether any is
  /// set.
  private mutating func assign(_ assignments: [ControlEvent.Assignment]) -> Bool {
    let former = context
    var slots: [Rule.Slot] = []
    for assignment in assignments where takes(assignment) { slots.append(assignment.slot) }
    updateValues(since: former)
    updateAdvertisement(since: former)
    for slot in slots where !turn.hasReset { fire(.set(slot), by: nil) }
    settle()
    return !slots.isEmpty
  }

  /// Sets one; returns whether its limits allow the value.
  private mutating func takes(_ assignment: ControlEvent.Assignment) -> Bool {
    do {
      try set(assignment.slot, to: assignment.value)
      return true
    } catch {
      remark(.logged("not set: \(error)"))
      return false
    }
  }

  /// Gives each attribute its initial value for the present settings and variables, if that differs from the initial value
  /// before. Otherwise the attribute keeps its value, which a central may have written.
  private mutating func updateValues(since former: EvaluationContext) {
    for (index, characteristic) in definition.characteristics.enumerated() {
      update(.characteristic(index), characteristic.value, since: former)
      for (number, descriptor) in characteristic.descriptors.enumerated() {
        update(.descriptor(number, of: index), descriptor.value, since: former)
      }
    }
  }

  private mutating func update(
    _ attribute: AttributeReference, _ template: ValueTemplate, since former: EvaluationContext
  ) {
    if isLive(attribute) { return }
    let limit = CharacteristicDefinition.maximumValueSize
    do {
      let value = try template.render(in: context, limit: limit)
      if (try? template.render(in: former, limit: limit)) != value { attributes[attribute] = value }
    } catch {
      remark(.logged("'\(definition.name(of: attribute))' keeps its value: \(error)"))
    }
  }
}
