import Bluetooth
import DeviceModel
import Framing

/// The choice of the rule that fires.
extension Engine {
  /// Fires the first rule in the file with this trigger whose state and condition match.
  ///
  /// - Parameter fill: gives the context the values of the event.
  mutating func fire(
    _ trigger: Rule.Trigger, by central: Central?, on origin: Endpoint? = nil,
    with fill: (inout EventValues) -> Void = { _ in }
  ) {
    let rules = lookup.rules(for: trigger)
    if rules.isEmpty { return }
    let isOfCentral = trigger.isOfCentral(central)
    for index in rules {
      let rule = lookup.rule(at: index)
      guard program.fires(rule: rule, in: state) else { continue }
      fill(&context.event)
      if program.rules[rule].asksOrigin { context.event.origin = definition.name(of: trigger) ?? "" }
      if fire(rule: rule, by: central, on: origin, ownedByCentral: isOfCentral) { return }
    }
  }

  /// Fires the first rule that waits for an event with a reason; nil: the transport does not know it.
  mutating func fire(_ trigger: Rule.Trigger, _ reason: String?, by central: Central) {
    fire(trigger, by: central) { $0.reason = reason }
  }

  /// Fires a rule that fires in the present state, if its condition is true; returns whether it is. The context has the values
  /// of the event.
  mutating func fire(
    rule index: Int, by central: Central?, on origin: Endpoint?, outOf layer: Int? = nil,
    ownedByCentral: Bool
  ) -> Bool {
    let rule = program.rules[index]
    context.event.central = central ?? links.centrals.last
    if rule.locals > 0 {
      context.event.locals = Array(repeating: .integer(0), count: Int(rule.locals))
    }
    centralVariables.select(context.event.central, in: &context.variables)
    do throws(EvaluationError) {
      guard try meets(rule.condition) else {
        context.event.clear()
        return false
      }
    } catch {
      context.event.clear()
      fail(index, error)
      return true
    }
    let owner: Activation.Owner = ownedByCentral ? .central(central) : .device
    let source = origin.map { $0.isLayer ? turn.source : $0 } ?? turn.source
    var activation = Activation(
      rule: index, owner: owner, asker: ownedByCentral ? central : turn.asker,
      origin: layer == nil ? origin : source, source: source, layer: layer, steps: rule.steps)
    if rule.placesResponse { activation.request = placedRequest() }
    run(&activation)
    return true
  }

  /// Continues a rule after its wait.
  mutating func resume(_ number: Int) {
    guard let (waiting, event) = waits.remove(number) else { return }
    var activation = waiting
    context.event = event
    centralVariables.select(event.central, in: &context.variables)
    run(&activation)
  }

  private mutating func meets(_ condition: RuleProgram.Index?) throws(EvaluationError) -> Bool {
    guard let condition else { return true }
    turn.spend(work: 1)
    return turn.hasWorkLeft ? try isTrue(condition) : false
  }

  mutating func fail(_ rule: Int, _ error: any Error) {
    remark(
      .ruleFailed(line: definition.rules[rule].line, file: definition.rules[rule].file, reason: "\(error)"))
  }
}

extension EventValues {
  mutating func clear() {
    (fields, bytes, locals) = (MessageFields(), [], [])
    (offset, origin, central, reason) = (0, "", nil, nil)
    link = LinkChange()
  }
}

// MARK: Steps

extension Engine {
  /// How a rule continues after a step.
  private enum Outcome {
    case goesOn, ends
    case waits(Instant)
  }

  /// Performs a rule up to its end or its next wait, then its consequences. The context has the values of its event.
  private mutating func run(_ activation: inout Activation) {
    (turn.asker, turn.source) = (activation.asker, activation.source)
    let waits = performSteps(of: &activation)
    if let request = activation.request, !waits { give(.accepted, to: request) }
    if let layer = activation.layer { layerMessages.note(waits, at: layer, in: &turn) }
    if turn.layerDepth == 0 { settle() }
  }

  /// Returns whether the rule waits.
  private mutating func performSteps(of activation: inout Activation) -> Bool {
    defer { context.event.clear() }
    do {
      while let place = activation.steps.first {
        let step = program.steps[place]
        activation.steps = place + 1..<activation.steps.upperBound
        if case .again(let index, let first) = step.operation {
          `repeat`(&activation, index: Int(index), from: Int(first))
          continue
        }
        if case .skip(let next) = step.operation {
          activation.steps = Int(next)..<activation.steps.upperBound
          continue
        }
        try turn.countStep()
        if let condition = step.condition, try !isTrue(condition) {
          activation.steps = Int(step.end)..<activation.steps.upperBound
          continue
        }
        switch try perform(step, of: &activation) {
        case .goesOn: continue
        case .ends: return false
        case .waits where activation.isOver:
          turn.consequences.release(activation.releases(in: program))
          return false
        case .waits(let due):
          try waits.add(activation, context.event, until: due, in: &turn)
          return true
        }
      }
    } catch {
      if case RuleFailure.tooManySteps = error { endLoop() }
      fail(activation.rule, error)
    }
    return false
  }

  /// Goes back to the first step of a `repeat` that has not run often enough.
  private mutating func `repeat`(_ activation: inout Activation, index: Int, from first: Int) {
    guard case .integer(let number) = context.event.locals[index], number + 1 < activation.counts[index]
    else { return }
    context.event.locals[index] = .integer(number + 1)
    activation.steps = first..<activation.steps.upperBound
  }

  private mutating func perform(_ step: RuleProgram.Step, of activation: inout Activation) throws -> Outcome {
    switch step.operation {
    case .send(let content, let named):
      guard let endpoint = named ?? activation.origin.map({ lookup[$0].answers }) else {
        throw RuleFailure.noOrigin
      }
      let content = program.contents[Int(content)]
      if case .layer(let layer) = endpoint {
        return try send(self.bytes(of: content), into: layer, by: activation) ? .goesOn : .ends
      }
      let bytes = try encoded(bytes(of: content), isMessage: true, for: endpoint)
      try turn.spend(output: bytes.count)
      send(bytes, to: endpoint, message: content.message, for: user(of: endpoint, activation))
    case .respond(let content): try respond(with: bytes(of: program.contents[Int(content)]))
    case .placeResponse: if let request = activation.request { give(.accepted, to: request) }
    case .refuse(let error, let handle):
      try refuse(
        error, handle: handle.map { try UInt16(truncatingIfNeeded: integer(of: $0)) }, by: activation)
      return .ends
    case .set(let assignments):
      for index in assignments {
        let (slot, value) = program.assignments[Int(index)]
        try set(slot, to: self.value(of: value))
      }
    case .setNamed(let name, let value): try setNamed(text(of: name), to: text(of: value))
    case .receive(let bytes, let place):
      let frame = try self.bytes(of: bytes)
      try turn.spend(output: frame.count)
      turn.consequences.add(
        .assembled(AssembledFrame(bytes: frame, place: place ?? activation.origin!, by: activation)))
    case .enter(let state):
      if definition.rules[activation.rule].isOver(leaving: self.state, for: Int(state)) {
        activation.isOver = true
      }
      enter(Int(state))
    case .start(let timer, let duration, let repeats):
      let milliseconds = try self.duration(of: duration, atLeast: repeats ? 1 : 0)
      let key = try timerKey(Int(timer), activation)
      timers.start(key, after: milliseconds, repeats: repeats, for: activation.asker, in: &turn)
    case .stop(let timer):
      if let key = try? timerKey(Int(timer), activation) {
        timers.stop(key, in: &turn)
      } else {
        timers.stop(Int(timer), in: &turn)
      }
    case .wait(let duration):
      let milliseconds = try self.duration(of: duration, atLeast: 0)
      return milliseconds == 0 ? .goesOn : .waits(turn.now.advanced(by: .milliseconds(milliseconds)))
    case .repeat(let count, let index):
      let count = try integer(of: count)
      context.event.locals[Int(index)] = .integer(0)
      guard count > 0 else {
        activation.steps = Int(step.end)..<activation.steps.upperBound
        break
      }
      if activation.counts.isEmpty {
        activation.counts = Array(repeating: 0, count: context.event.locals.count)
      }
      activation.counts[Int(index)] = count
    case .bind(let first, let expressions): try bind(expressions, from: Int(first))
    case .again, .skip, .group: break  // the steps inside follow
    case .bridge:
      try turn.spend(output: context.event.bytes.count)
      leave(context.event.bytes, from: activation.origin!)
    case .end: return .ends
    case .hold(let endpoint): held.begin(at: endpoint)
    case .release(let endpoint): turn.consequences.add(.released(endpoint))
    case .advertise(let condition): advertise(try isTrue(condition))
    case .disconnect(.all, let reason): turn.actions.append(.disconnect(nil, reason))
    case .disconnect(.central, let reason):
      if let central = context.event.central { turn.actions.append(.disconnect(central, reason)) }
    case .close(let channel):
      turn.actions.append(.close(channel: Int(channel), user(of: .channel(Int(channel)), activation)))
    case .sendPDU(let template):
      let packet = try render(template, limit: MessageTemplate.maximumSize)
      try turn.spend(output: packet.count)
      turn.actions.append(.sendPDU(packet, to: user(of: .sought(0), activation)))
    case .discover: request(.discover, activation)
    case .subscribe(let sought): request(.subscribe(Int(sought)), activation)
    case .readSought(let sought): request(.read(Int(sought)), activation)
    case .askLink(let change):
      turn.actions.append(.askLink(program.linkChanges[Int(change)], of: user(of: .sought(0), activation)))
    case .forget(.all): turn.actions.append(.forget(nil))
    case .forget(.oldest):
      let isOfNewBond = definition.rules[activation.rule].triggers.contains(.bonded)
      turn.actions.append(.forgetOldest(besides: isOfNewBond ? context.event.central : nil))
    case .forget(.central): if let central = context.event.central { turn.actions.append(.forget(central)) }
    case .reset:
      guard !turn.hasReset else { throw RuleFailure.secondReset }
      reset()
      return .ends
    case .restoreSettings: restoreSettings()
    case .applyBaud: updateBaud()
    case .applyAttributes: updateTable(toConnected: true)
    case .log(let text): try log(text)
    }
    return .goesOn
  }

  private mutating func bind(
    _ expressions: Range<RuleProgram.Index>, from first: Int
  ) throws(EvaluationError) {
    for (place, expression) in zip(first..., expressions) {
      context.event.locals[place] = try value(of: expression)
    }
  }

  /// The device's timer, or that of the central whose event has caused the rule.
  private func timerKey(_ timer: Int, _ activation: borrowing Activation) throws(RuleFailure)
    -> RuleTimers.Key
  {
    guard definition.timersPerCentral.contains(timer) else {
      return RuleTimers.Key(timer: timer, central: nil)
    }
    guard let central = activation.asker, links.centrals.contains(central) else {
      throw .noCentral(timer: definition.timers[timer])
    }
    return RuleTimers.Key(timer: timer, central: central)
  }

  private mutating func request(_ request: ClientRequest, _ activation: borrowing Activation) {
    turn.actions.append(.request(request, of: user(of: .sought(0), activation)))
  }

  /// The longest line of the log, bytes.
  private static let longestLine = 4096

  private mutating func log(_ text: RuleProgram.Index) throws {
    let line = try render(text, limit: Self.longestLine)
    try turn.spend(output: line.count)
    remark(.logged(String(decoding: line, as: UTF8.self)))
  }

  private mutating func duration(of expression: RuleProgram.Index, atLeast least: Int64) throws -> Int64 {
    let milliseconds = try integer(of: expression)
    guard (least...Rule.longestDuration).contains(milliseconds) else {
      throw RuleFailure.duration(milliseconds)
    }
    return milliseconds
  }

  private mutating func refuse(
    _ error: ATTError, handle: AttributeHandle?, by activation: borrowing Activation
  ) throws(RuleFailure) {
    if let request = activation.request {
      guard give(.refused(error, handle: handle), to: request) else { throw .answered }
      if request != turn.request { remark(.refusedLate(activation.origin!, error)) }
    } else {
      guard turn.awaitsAnswer else { throw turn.response == nil ? .notAsked : .answered }
      refuse(error, handle: handle)
    }
  }

  private mutating func respond(with value: [UInt8]) throws {
    guard turn.awaitsAnswer else { throw RuleFailure.answered }
    guard value.count <= CharacteristicDefinition.maximumValueSize else {
      throw RuleFailure.tooLong(value.count)
    }
    answer(value, from: Int(context.event.offset))
  }

  /// - Throws: ``RuleFailure`` if its limits do not allow the value.
  mutating func set(_ slot: Rule.Slot, to value: Value) throws {
    let problem =
      switch slot {
      case .setting(let index): definition.settings[index].kind.problem(with: value)
      case .variable(let index): definition.variables[index].kind.problem(with: value)
      }
    if let problem { throw RuleFailure.limit(name: definition[slot].name, problem: problem) }
    if lookup.awaitsChanges {
      let owner = definition[slot].isPerCentral ? centralVariables.owner : nil
      turn.changes.note(slot, of: owner, context.value(of: slot))
    }
    switch slot {
    case .setting(let index):
      context.settings[index] = value
      turn.hasSetSettings = true
    case .variable(let index): context.variables[index] = value
    }
  }

  private mutating func setNamed(_ name: String, to text: String) throws {
    let shown = String(name.prefix(64))
    guard let (index, kind) = context.settingTable.setting(named: name) else {
      throw RuleFailure.noSetting(shown)
    }
    guard let value = Value(reading: text, as: kind.valueType) else {
      throw RuleFailure.limit(name: shown, problem: "'\(text.prefix(64))' is not \(kind.valueType.phrase)")
    }
    try set(.setting(index), to: value)
  }
}

extension RuleProgram.Content {
  /// The message; nil: it has no name.
  fileprivate var message: Int? { if case .message(let index, _) = self { Int(index) } else { nil } }
}

extension Rule.Trigger {
  /// Whether a central causes it: the rule then ends when that central disconnects.
  fileprivate func isOfCentral(_ central: Central?) -> Bool {
    switch self {
    case .timer, .changed: central != nil
    case .connected, .paired, .bonded, .pairingFailed, .encrypted, .encryptionFailed, .parametersChanged,
      .parametersRefused, .phyChanged, .subscribed, .unsubscribed, .opened, .read, .written,
      .configured, .received(_, .characteristic), .received(_, .channel), .received(_, .sought), .found,
      .missing,
      .refused:
      true
    case .received(_, .layer), .sent: central != nil
    case .started, .disconnected, .linkLost, .closed, .received(_, .wire), .entered, .left, .control,
      .set, .addressChanged:
      false
    }
  }
}
