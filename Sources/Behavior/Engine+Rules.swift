import Bluetooth
import Definitions
import Framing

/// Which rule fires.
extension Engine {
  /// The first rule in the file that waits for this, and whose state and condition fit, fires.
  mutating func fire(
    _ trigger: Rule.Trigger, _ event: EventValues = EventValues(), by central: Central?,
    on origin: Port? = nil
  ) {
    for rule in lookup.rules(for: trigger) {
      if fire(rule: rule, event, by: central, on: origin, ownedByCentral: trigger.isOfCentral) { return }
    }
  }

  /// Sets a rule off if its state and condition fit; tells whether they did.
  mutating func fire(
    rule index: Int, _ event: EventValues, by central: Central?, on origin: Port?, ownedByCentral: Bool
  ) -> Bool {
    let rule = definition.rules[index]
    if let states = rule.states, !states.contains(state) { return false }
    var event = event
    event.central = (central ?? centrals.last)?.bytes ?? []
    event.repetitions = rule.repetitionCount == 0 ? [] : Array(repeating: 0, count: rule.repetitionCount)
    let owner: Activation.Owner = ownedByCentral ? .central(central) : .device
    let activation = Activation(index, rule.steps, event, owner: owner, origin: origin)
    guard let condition = rule.condition else {
      run(activation)
      return true
    }
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
    actions.append(.remark(.ruleFailed(line: definition.rules[rule].line, reason: "\(error)")))
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
  /// Whether it is something that a central does: the rule then ends when that central leaves.
  fileprivate var isOfCentral: Bool {
    switch self {
    case .connected, .subscribed, .unsubscribed, .read, .written, .received(_, .characteristic): true
    case .started, .disconnected, .received(_, .wire), .timer, .entered, .left: false
    }
  }
}

// MARK: Centrals and advertising

extension Engine {
  mutating func connect(_ central: Central) {
    if let limit = definition.link.centrals, centrals.count >= limit {
      turnedAway.insert(central)
      return actions.append(.disconnect(central))
    }
    centrals.append(central)
    context.centrals = Int64(centrals.count)
    updateAdvertising()
    fire(.connected, by: central)
  }

  mutating func disconnect(_ central: Central) {
    if turnedAway.remove(central) != nil { return }
    centrals.removeAll { $0 == central }
    context.centrals = Int64(centrals.count)
    endRules(of: central)
    forgetStreams(of: central)
    updateAdvertising()
    fire(.disconnected, by: central)
  }

  /// Starts or stops advertising as the rules wish and the number of centrals allows.
  mutating func updateAdvertising(renewed: Bool = false) {
    let isFull = definition.link.centrals.map { centrals.count >= $0 } ?? false
    let shouldAdvertise = wantsAdvertising && !isFull
    guard shouldAdvertise != isAdvertising || (shouldAdvertise && renewed) else { return }
    isAdvertising = shouldAdvertise
    guard shouldAdvertise else { return actions.append(.advertise(nil)) }
    do {
      actions.append(.advertise(try advertisement()))
    } catch {
      actions.append(.remark(.logged("the advertisement stays as it was: \(error)")))
    }
  }

  private func advertisement() throws -> Advertisement {
    let advertisement = try definition.advertisement.resolved(in: context)
    if let problem = AdvertisingLayout(advertisement).problems.first(where: \.isFatal) {
      throw AdvertisementError(problem: problem)
    }
    return advertisement
  }
}

/// What is to be advertised does not fit.
struct AdvertisementError: Error, CustomStringConvertible {
  var problem: AdvertisingProblem
  var description: String { problem.description }
}

// MARK: Timers and reset

extension Engine {
  mutating func fireTimer(_ timer: Int) {
    guard let running = timers[timer] else { return }
    if let period = running.period {
      let next = running.due.advanced(by: .milliseconds(period))
      startTimer(timer, at: next > now ? next : now.advanced(by: .milliseconds(period)), period)
    } else {
      timers[timer] = nil
    }
    fire(.timer(timer), by: nil)
  }

  mutating func startTimer(_ timer: Int, at due: Instant, _ period: Int64?) {
    timers[timer] = RunningTimer(due: due, period: period)
    actions.append(.startTimer(.rule(timer), at: due))
  }

  mutating func stopTimer(_ timer: Int) {
    guard timers.removeValue(forKey: timer) != nil else { return }
    actions.append(.stopTimer(.rule(timer)))
  }

  /// Puts everything back but the settings, ends all connections, and starts anew.
  mutating func reset() {
    for timer in timers.keys.sorted() { stopTimer(timer) }
    for number in waiting.keys.sorted() { actions.append(.stopTimer(.wait(number))) }
    for (key, framer) in framers where framer.deadline != nil { actions.append(.stopTimer(.frameGap(key))) }
    waiting = [:]
    framers = [:]
    held = [:]
    consequences = []
    context.variables = definition.variables.map(\.initial)
    state = 0
    context.state = definition.states.first ?? ""
    beginning = now
    generators = GeneratorValues(definition.generators, seed: options.seed)
    generators.update(&context.generators, at: 0, tables: definition.tables)
    do { (values, descriptorValues) = try definition.initialValues(in: context) } catch {
      actions.append(.remark(.logged("the attributes keep their values: \(error)")))
    }
    if !centrals.isEmpty { actions.append(.disconnect(nil)) }
    wantsAdvertising = true
    updateAdvertising(renewed: true)
    consequences.append(.started)
  }
}
