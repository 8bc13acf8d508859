import Bluetooth
import DeviceModel

/// A named message that has been reported as too long for one notification of a characteristic, by their indices.
struct CutMessage: Equatable {
  var message: Int
  var characteristic: Int
}

/// Reads the actions of one rule.
struct ActionDecoder {
  let parts: RuleParts
  let triggers: [Rule.Trigger]
  var names: NameScope
  /// Those that actions performed there may use: without the parameters of the actions around them.
  var outerNames: NameScope
  let log: DiagnosticLog
  /// Those of the rule so far.
  private(set) var locals: [String?] = []
  var cutMessages: [CutMessage]
  var layerUses: LayerUses

  init(
    _ parts: RuleParts, _ triggers: [Rule.Trigger], _ names: NameScope, cutMessages: [CutMessage],
    layerUses: LayerUses, log: DiagnosticLog
  ) {
    (self.parts, self.triggers, self.names, outerNames) = (parts, triggers, names, names)
    (self.cutMessages, self.layerUses, self.log) = (cutMessages, layerUses, log)
  }

  var reader: TextReader { TextReader(names, log) }

  mutating func steps(_ actions: [Node<Language.Action>]) -> [Rule.Step] {
    var steps: [Rule.Step] = []
    for (index, node) in actions.enumerated() where !log.isClosed {
      let condition = reader.expression(node.condition, as: .boolean)
      let (action, otherwise) = (action(node), self.steps(node.otherwise))
      guard let action else { continue }
      let step = Rule.Step(action, if: condition, else: otherwise)
      if index > 0, let last = steps.last { checkCondition(of: step, after: last, node) }
      steps.append(step)
    }
    return steps
  }

  /// Whether what an action changes lets the opposite condition of the next become true as well.
  private func checkCondition(
    of step: Rule.Step, after last: Rule.Step, _ node: Node<Language.Action>
  ) {
    guard let condition = step.condition, let earlier = last.condition, last.otherwise.isEmpty,
      condition.isOpposite(of: earlier), let place = node.condition?.range,
      let changed = last.withInner.lazy.compactMap({ $0.action.changed(of: condition, in: parts.device) })
        .first
    else { return }
    log.warn(.oppositeCondition(after: changed), at: place)
  }

  private mutating func action(_ node: Node<Language.Action>) -> Rule.Action? {
    if let word = node.word { return action(word) }
    if let send = node.send { return self.send(send, node) }
    if let packet = node.sendPDU { return reader.bytes(packet).map { .sendPDU($0) } }
    if let respond = node.respond { return self.respond(respond, node) }
    if let error = node.refuse { return refuse(error, node) }
    if !node.set.isEmpty { return set(node.set) }
    if let name = node.setSetting { return setNamed(name, node) }
    if let bytes = node.receive { return receive(bytes, node) }
    if let timer = node.start { return start(timer, node) }
    if let count = node.count { return loop(count, node) }
    if let word = node.disconnect { return disconnect(word, node) }
    if let id = node.close { return parts.characteristics.channel(id).map { .close($0) } }
    if let id = node.subscribe { return parts.characteristics.sought(id).map { .subscribe($0) } }
    if let id = node.read { return parts.characteristics.sought(id).map { .readSought($0) } }
    if let phy = node.askPHY {
      return PHY(word: phy.text).map { .askLink(LinkChange(phys: Directions(sent: $0, received: $0))) }
    }
    if let bytes = node.askDataLength.map({ UInt16($0.value) }) {
      return .askLink(LinkChange(packetSizes: Directions(sent: bytes, received: bytes)))
    }
    if let choice = node.forget { return forget(choice) }
    if let name = node.perform { return perform(name, node) }
    if !node.then.isEmpty { return .group(steps(node.then)) }
    if let state = node.enter { return parts.state(state).map { .enter($0) } }
    if let timer = node.stop { return parts.timer(timer).map { .stop(timer: $0) } }
    if let wait = node.wait { return reader.milliseconds(wait, atLeast: 0).map { .wait($0) } }
    if let endpoint = node.hold { return parts.characteristics.endpoint(endpoint).map { .hold($0) } }
    if let endpoint = node.release { return parts.characteristics.endpoint(endpoint).map { .release($0) } }
    if let isOn = node.advertise { return reader.expression(isOn, as: .boolean).map { .advertise($0) } }
    return reader.text(node.log).map { .log($0) }
  }

  private func action(_ word: Scalar) -> Rule.Action? {
    switch word.text {
    case "disconnect": return .disconnect(.all)
    case "reset": return .reset
    case "restore-settings": return .restoreSettings
    case "end": return .end
    case "respond": return .respond(nil)
    case "apply-baud":
      checkBaud(at: word)
      return .applyBaud
    case "apply-attributes":
      checkAttributes(at: word)
      return .applyAttributes
    case "discover": return parts.characteristics.looksForSomething(at: word.range) ? .discover : nil
    case "bridge":
      checkBridge(at: word)
      return .bridge
    default: return nil
    }
  }

  // MARK: Timers and loops

  private func start(_ timer: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    guard let timer = parts.timer(timer),
      let period = reader.milliseconds(node.after ?? node.every, atLeast: node.after == nil ? 1 : 0)
    else { return nil }
    if let owner = node.owner, !mayHaveCentral(includingGone: false) {
      log.error(.noCentralOfEvent("a timer of the device needs no 'per'"), at: owner.range)
    }
    return .start(timer: timer, period, repeats: node.after == nil)
  }

  private mutating func loop(_ scalar: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    let count = reader.expression(scalar, as: .integer)
    if case .constant(.integer(let number)) = count, !(1...Self.mostRepetitions).contains(number) {
      log.error(.outOfRange(number, 1...Self.mostRepetitions), at: scalar.range)
    }
    let outside = (names, outerNames)
    let index = beginRepetition(named: node.index)
    let steps = steps(node.repeated)
    (names, outerNames) = outside
    return count.map { .repeat($0, index: index, steps) }
  }

  /// Adds a repetition, and the name of its index, if it has one.
  mutating func beginRepetition(named name: Scalar?) -> Int {
    let index = locals.count
    locals.append(name?.text)
    if let name {
      names = names.adding(local: index, name: name.text, type: .integer)
      outerNames = outerNames.adding(local: index, name: name.text, type: .integer)
    }
    return index
  }

  private static let mostRepetitions: Int64 = 10_000

  // MARK: Shared actions

  private mutating func perform(_ name: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    guard let parameters = parts.parameters[name.text], !node.then.isEmpty else { return nil }
    let arguments = arguments(of: parameters, name, node.with)
    let (outside, first) = (names, locals.count)
    names = outerNames
    defer { names = outside }
    if parameters.isEmpty { return .group(steps(node.then)) }
    for (parameter, argument) in zip(parameters, arguments) {
      guard let argument else {
        names.addBroken(parameter)
        continue
      }
      names = names.adding(local: locals.count, name: parameter, type: argument.type)
      locals.append(nil)
    }
    let steps = steps(node.then)
    let values = arguments.compactMap(\.self)
    guard values.count == parameters.count else { return nil }
    return .perform(
      Rule.Performance(
        name.text, parameters: parameters, arguments: values.map(\.expression), types: values.map(\.type),
        first: first, steps))
  }

  /// The value of each parameter; nil for a wrong one.
  private func arguments(
    of parameters: [String], _ name: Scalar, _ with: Language.Fields?
  ) -> [ExpressionChecker.Typed?] {
    let entries = with?.entries ?? []
    for entry in entries where !parameters.contains(entry.key.text) {
      log.error(.unknownParameter(entry.key.text, of: name.text, known: parameters), at: entry.key.range)
    }
    let missing = parameters.filter { parameter in !entries.contains { $0.key.text == parameter } }
    if !missing.isEmpty { log.error(.missingArguments(missing, of: name.text), at: name.range) }
    return parameters.map { parameter in
      guard let entry = entries.first(where: { $0.key.text == parameter }) else { return nil }
      switch entry.value {
      case .value(let scalar):
        return log.read(scalar) { text throws(TextError) in try ExpressionChecker.check(text, in: names) }
      case .rows(_, let range): log.error(.listAsArgument(parameter), at: range)
      case .row(let row): log.error(.listAsArgument(parameter), at: row.range)
      case .repeated(let node): log.error(.listAsArgument(parameter), at: node.range)
      }
      return nil
    }
  }

  // MARK: Settings and variables

  private func set(_ entries: [Entry<Scalar>]) -> Rule.Action? {
    let assignments = entries.compactMap(assignment)
    return assignments.count < entries.count ? nil : .set(assignments)
  }

  private func assignment(_ entry: Entry<Scalar>) -> (Rule.Slot, Expression)? {
    guard let (slot, definition) = parts.slot(entry.key, names),
      let expression = reader.expression(entry.value, as: definition.kind.valueType)
    else { return nil }
    if case .constant(let constant) = expression, let problem = definition.kind.problem(with: constant) {
      log.error(problem, at: entry.value.range)
    }
    return (slot, expression)
  }

  private func setNamed(_ name: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    let value = reader.expression(node.value, as: .text)
    guard let name = reader.expression(name, as: .text), let value else { return nil }
    return .setNamed(name, value: value)
  }
}

// MARK: Frames

extension ActionDecoder {
  private mutating func receive(_ scalar: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    let bytes = reader.expression(scalar, as: .bytes)
    if let from = node.from {
      guard let endpoint = parts.characteristics.endpoint(from) else { return nil }
      layerUses.receive(at: endpoint, triggers, at: from.range)
      return bytes.map { .receive($0, from: endpoint) }
    }
    guard triggers.allSatisfy({ $0.endpoint != nil }) else {
      log.error(.arrivesNowhere, at: scalar.range)
      return nil
    }
    layerUses.receive(at: nil, triggers, at: scalar.range)
    return bytes.map { .receive($0, from: nil) }
  }
}

// MARK: Links and bonds

extension ActionDecoder {
  /// `central`, `all`, or a reason to end all connections.
  private func disconnect(_ word: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    if let reason = HCIError(reasonToDisconnect: word.text) {
      if let second = node.reason { log.error(.secondReason, at: second.range) }
      return .disconnect(.all, reason)
    }
    let reason = node.reason.flatMap { HCIError(reasonToDisconnect: $0.text) }
    return choice(word, ofAll: "all connections: disconnect").map {
      .disconnect($0, reason ?? .remoteUserTerminated)
    }
  }

  private func forget(_ word: Scalar) -> Rule.Action? {
    choice(word, ofAll: "the bonds with all centrals: forget: all").map { .forget($0) }
  }

  /// - Parameter all: how to write the action for all centrals.
  private func choice<Choice: RawRepresentable<String>>(_ word: Scalar, ofAll all: String) -> Choice? {
    let choice = Choice(rawValue: word.text)
    if word.text == Rule.CentralChoice.central.rawValue, !mayHaveCentral() {
      let isTimer = triggers.contains { if case .timer = $0 { true } else { false } }
      log.error(
        .noCentralOfEvent(all + (isTimer ? "; a timer that starts with 'per: central' has a central" : "")),
        at: word.range)
      return nil
    }
    return choice
  }

  /// Whether a central may have caused the event.
  ///
  /// - Parameter includingGone: whether it may have left.
  private func mayHaveCentral(includingGone: Bool = true) -> Bool {
    triggers.allSatisfy { trigger in
      switch trigger {
      case .started, .received(_, from: .wire), .control, .set, .addressChanged: false
      case .changed(let slot): parts.device[slot].isPerCentral
      case .disconnected, .linkLost: includingGone
      case .timer(let timer): parts.timersPerCentral.contains(timer)
      default: true
      }
    }
  }
}

// MARK: The attributes

extension ActionDecoder {
  /// A definition that extends another may have other services and keep the rules.
  private func checkAttributes(at word: Scalar) {
    guard !parts.device.hasVariableAttributes, word.range.source == .main else { return }
    log.error(.noVariableAttributes, at: word.range)
  }
}

// MARK: The wire side

extension ActionDecoder {
  /// A definition that extends another may remove its speed but keep the rules that refer to it.
  private func checkBaud(at word: Scalar) {
    guard parts.device.wire.baud == nil, word.range.source == .main else { return }
    log.error(.noBaud, at: word.range)
  }

  /// A definition that extends another may remove its bridge but keep the rules that refer to it.
  private func checkBridge(at word: Scalar) {
    let ends = parts.device.wire.bridge.map { [Rule.Endpoint.wire, $0.inlet] } ?? []
    let isExtended = word.range.source != .main
    let isPossible = triggers.allSatisfy { trigger in
      trigger.endpoint.map { ends.contains($0) || isExtended } ?? false
    }
    if isPossible { return }
    log.error(ends.isEmpty ? .noBridge : .notAtBridge, at: word.range)
  }
}

// MARK: Responses

extension ActionDecoder {
  private mutating func respond(_ use: Language.MessageUse, _ node: Node<Language.Action>) -> Rule.Action? {
    guard let content = content(use, node) else { return nil }
    let limit = CharacteristicDefinition.maximumValueSize
    let size = minimumSize(of: content)
    if size > limit { log.error(.tooLongValue(size: size, limit: limit), at: use.range) }
    return .respond(content)
  }

  private func refuse(_ name: Scalar, _ node: Node<Language.Action>) -> Rule.Action? {
    let handle = reader.expression(node.handle, as: .integer)
    if case .constant(.integer(let number)) = handle, let place = node.handle?.range,
      !(0...0xFFFF).contains(number)
    {
      log.error(.outOfRange(number, 0...0xFFFF), at: place)
    }
    guard let error = ATTError(named: name.text) else {
      log.error(.unknownATTError(name.text), at: name.range)
      return nil
    }
    return node.handle == nil || handle != nil ? .refuse(error, handle: handle) : nil
  }
}
