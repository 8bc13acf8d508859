import DeviceModel

/// Selecting the rule that fires.
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

  /// Fires a rule if its state and condition match; returns whether they do.
  mutating func fire(
    rule index: Int, _ event: EventValues, by central: Central?, on origin: Endpoint?, ownedByCentral: Bool
  ) -> Bool {
    let rule = definition.rules[index]
    if let states = rule.states, !states.contains(state) { return false }
    var event = event
    event.central = central ?? centrals.last
    centralVariables.select(event.central, in: &context.variables)
    event.repetitions = rule.repetitionCount == 0 ? [] : Array(repeating: 0, count: rule.repetitionCount)
    let owner: Activation.Owner = ownedByCentral ? .central(central) : .device
    let activation = Activation(index, rule.steps, event, owner: owner, origin: origin)
    guard let condition = rule.condition else {
      run(activation)
      return true
    }
    workLeft -= 1
    guard workLeft > 0 else { return false }
    swap(&context.event, &event)
    let verdict = Result { () throws(EvaluationError) in try isTrue(condition) }
    context.event = EventValues()
    switch verdict {
    case .success(false): return false
    case .success(true): run(activation)
    case .failure(let error): fail(index, error)
    }
    return true
  }

  mutating func fail(_ rule: Int, _ error: any Error) {
    let rule = definition.rules[rule]
    actions.append(.remark(.ruleFailed(line: rule.line, file: rule.file, reason: "\(error)")))
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
    case .connected, .paired, .bonded, .pairingFailed, .encrypted, .subscribed, .unsubscribed, .read,
      .written, .configured,
      .received(_, .characteristic):
      true
    case .started, .disconnected, .received(_, .wire), .timer, .entered, .left: false
    }
  }
}
