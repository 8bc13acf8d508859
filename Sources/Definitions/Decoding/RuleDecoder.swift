import Bluetooth
import DeviceModel

/// Reads the actions of one rule.
struct RuleDecoder {
  let decoder: DefinitionDecoder
  let triggers: [Rule.Trigger]
  var scope: NameScope
  /// How many `repeat`s have been met.
  private(set) var repetitionCount = 0

  var log: DiagnosticLog { decoder.log }

  init(decoder: DefinitionDecoder, triggers: [Rule.Trigger], scope: NameScope) {
    self.decoder = decoder
    self.triggers = triggers
    self.scope = scope
  }

  /// The steps of a `do`: an action or a list of them.
  mutating func steps(_ node: YAMLNode?) -> [Rule.Step] {
    guard let node else { return [] }
    let actions: [YAMLNode]
    if case .sequence(let elements) = node.content { actions = elements } else { actions = [node] }
    var steps: [Rule.Step] = []
    for node in actions where !decoder.log.isClosed {
      let condition = decoder.read(node["if"]) { [scope] text throws(TextError) in
        try self.decoder.expression(text, as: .boolean, in: scope)
      }
      if let action = action(node) { steps.append(Rule.Step(action, if: condition)) }
    }
    return steps
  }

  private mutating func action(_ node: YAMLNode) -> Rule.Action? {
    switch node.text {
    case "disconnect": return .disconnect
    case "reset": return .reset
    case "restore-settings": return .restoreSettings
    case "apply-baud": return applyBaud(node)
    case "bridge": return bridge(node)
    case "end": return .end
    default: break
    }
    let verbs = Language.action.alternatives
    guard let entry = node.entries.first(where: { verbs.contains($0.key.text ?? "") }),
      let verb = entry.key.text
    else { return nil }
    let value = entry.value
    switch verb {
    case "send": return send(value, node)
    case "respond": return respond(value, node)
    case "refuse": return refuse(value)
    case "set": return set(value)
    case "enter": return decoder.state(value).map { .enter($0) }
    case "start": return start(value, node)
    case "stop": return decoder.timer(value).map { .stop(timer: $0) }
    case "wait": return milliseconds(value, atLeast: 0).map { .wait($0) }
    case "repeat": return loop(value, node)
    case "then": return .group(steps(value))
    case "hold": return decoder.port(value).map { .hold($0) }
    case "release": return decoder.port(value).map { .release($0) }
    case "advertise": return typed(value, .boolean).map { .advertise($0) }
    default: return logLine(value)
    }
  }

  private func applyBaud(_ node: YAMLNode) -> Rule.Action {
    // One that extends another may take its speed away, and not the rules that speak of it.
    if decoder.definition.wire.baud == nil, node.range.source == .main {
      log.error("the serial side has no speed", at: node.range, hint: "wire: { baud: EXPRESSION }")
    }
    return .applyBaud
  }

  /// Sends the frame on as if no rule had taken it.
  private func bridge(_ node: YAMLNode) -> Rule.Action? {
    let ends = decoder.definition.wire.bridge.map { [Rule.Port.wire, .characteristic($0.inlet)] } ?? []
    // One that extends another may take its bridge away, and not the rules that speak of it.
    let isExtended = node.range.source != .main
    let isPossible = triggers.allSatisfy { trigger in
      if case .received(_, let port) = trigger { ends.contains(port) || isExtended } else { false }
    }
    if !isPossible {
      log.error(
        "nothing crosses a bridge here", at: node.range,
        hint: ends.isEmpty ? "wire: { bridge: ID }" : "only what is received at one of its ends does")
    }
    return .bridge
  }

  // MARK: Small readers

  private func typed(_ node: YAMLNode, _ type: ValueType) -> Expression? {
    decoder.read(node) { text throws(TextError) in try decoder.expression(text, as: type, in: scope) }
  }

  private func milliseconds(_ node: YAMLNode, atLeast least: Int64) -> Expression? {
    decoder.read(node) { text throws(TextError) in
      try decoder.milliseconds(text, atLeast: least, in: scope)
    }
  }

  private func logLine(_ node: YAMLNode) -> Rule.Action? {
    decoder.read(node) { text throws(TextError) in try ValueTemplate.text(text, in: scope) }.map(
      Rule.Action.log)
  }

  // MARK: Timers and loops

  private func start(_ node: YAMLNode, _ action: YAMLNode) -> Rule.Action? {
    let timer = decoder.timer(node)
    guard let timer, let period = action["after"] ?? action["every"],
      let milliseconds = milliseconds(period, atLeast: 1)
    else { return nil }
    return .start(timer: timer, milliseconds, repeats: action["after"] == nil)
  }

  private mutating func loop(_ node: YAMLNode, _ action: YAMLNode) -> Rule.Action? {
    let count = typed(node, .integer)
    if case .constant(.integer(let number)) = count, !(1...Self.mostRepetitions).contains(number) {
      log.error("\(number) is not in 1…\(Self.mostRepetitions)", at: node.range)
    }
    let index = repetitionCount
    repetitionCount += 1
    let outside = scope
    if let name = action["index"]?.text { scope = scope.adding(repetition: index, name: name) }
    let steps = steps(action["do"])
    scope = outside
    return count.map { .repeat($0, index: index, steps) }
  }

  private static let mostRepetitions: Int64 = 10_000

  // MARK: Settings and variables

  private func set(_ node: YAMLNode) -> Rule.Action? {
    let assignments = node.entries.map { entry in assignment(entry.key, entry.value) }
    return assignments.contains { $0 == nil } ? nil : .set(assignments.compactMap { $0 })
  }

  private func assignment(_ key: YAMLNode, _ value: YAMLNode) -> (Rule.Slot, Expression)? {
    guard let name = key.text, let (slot, definition) = decoder.slot(named: name) else {
      reportUnknownSlot(key)
      return nil
    }
    guard let expression = typed(value, definition.kind.valueType) else { return nil }
    if case .constant(let constant) = expression, let problem = definition.kind.problem(with: constant) {
      log.error(problem, at: value.range)
    }
    return (slot, expression)
  }

  private func reportUnknownSlot(_ key: YAMLNode) {
    guard let name = key.text, !decoder.scope.isBroken(name), Identifier.isValid(name) else { return }
    if scope.values[name] == nil {
      log.error(
        "no setting or variable '\(name)'", at: key.range,
        hint: Suggestion.hint(for: name, in: decoder.slotNames))
    } else {
      log.error("'\(name)' cannot be set", at: key.range, hint: "only settings and variables can")
    }
  }
}
