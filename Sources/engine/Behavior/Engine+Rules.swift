import DeviceModel

/// The choice of the rule that fires.
extension Engine {
  /// Fires the first rule in the file with this trigger whose state and condition match.
  mutating func fire(
    _ trigger: Rule.Trigger, _ event: EventValues = EventValues(), by central: Central?,
    on origin: Endpoint? = nil
  ) {
    for rule in lookup.rules(for: trigger) {
      if fire(rule: rule, event, by: central, on: origin, ownedByCentral: trigger.isOfCentral) { return }
    }
  }

  /// Fires the first rule that waits for an event with a reason; nil: the transport does not know it.
  mutating func fire(_ trigger: Rule.Trigger, _ reason: String?, by central: Central) {
    var event = EventValues()
    event.reason = reason
    fire(trigger, event, by: central)
  }

  /// Fires a rule if its state and condition match; returns whether they match.
  mutating func fire(
    rule index: Int, _ event: consuming EventValues, by central: Central?, on origin: Endpoint?,
    ownedByCentral: Bool
  ) -> Bool {
    if let states = definition.rules[index].states, !states.contains(state) { return false }
    context.event = event
    context.event.central = central ?? links.centrals.last
    let repetitions = definition.rules[index].repetitionNames.count
    if repetitions > 0 { context.event.repetitions = Array(repeating: 0, count: repetitions) }
    centralVariables.select(context.event.central, in: &context.variables)
    do throws(EvaluationError) {
      guard try meetsCondition(rule: index) else {
        context.event = EventValues()
        return false
      }
    } catch {
      context.event = EventValues()
      fail(index, error)
      return true
    }
    let owner: Activation.Owner = ownedByCentral ? .central(central) : .device
    run(Activation(index, definition.rules[index].steps, owner: owner, origin: origin))
    return true
  }

  /// Continues a rule after its wait.
  mutating func resume(_ number: Int) {
    guard let activation = waits.remove(number) else { return }
    context.event = activation.event
    centralVariables.select(activation.event.central, in: &context.variables)
    run(activation)
  }

  private mutating func meetsCondition(rule index: Int) throws(EvaluationError) -> Bool {
    guard let condition = definition.rules[index].condition else { return true }
    turn.workLeft -= 1
    return turn.workLeft > 0 ? try isTrue(condition) : false
  }

  mutating func fail(_ rule: Int, _ error: any Error) {
    let rule = definition.rules[rule]
    remark(.ruleFailed(line: rule.line, file: rule.file, reason: "\(error)"))
  }

  mutating func value(of expression: Expression) throws(EvaluationError) -> Value {
    context.random.step &+= 1
    return try expression.evaluate(in: context)
  }

  mutating func isTrue(_ condition: Expression) throws(EvaluationError) -> Bool {
    try value(of: condition) == .boolean(true)
  }

  mutating func integer(of expression: Expression) throws(EvaluationError) -> Int64 {
    guard case .integer(let number) = try value(of: expression) else {
      preconditionFailure("a number was checked to stand here")
    }
    return number
  }
}

extension Rule.Trigger {
  /// Whether a central causes it: the rule then ends when that central disconnects.
  fileprivate var isOfCentral: Bool {
    switch self {
    case .connected, .paired, .bonded, .pairingFailed, .encrypted, .encryptionFailed, .parametersChanged,
      .parametersRefused, .phyChanged, .subscribed, .unsubscribed, .opened, .read, .written,
      .configured, .received(_, .characteristic), .received(_, .channel), .received(_, .sought), .found,
      .missing,
      .refused:
      true
    case .started, .disconnected, .linkLost, .closed, .received(_, .wire), .timer, .entered, .left, .control,
      .set:
      false
    }
  }
}
