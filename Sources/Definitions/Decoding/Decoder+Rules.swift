import Bluetooth
import DeviceModel

extension DefinitionDecoder {
  private static let mostRules = 2000

  func decodeRules() {
    let rules = RuleNode.all(in: root["rules"])
    if rules.count > Self.mostRules {
      return log.close(
        with: "\(rules.count) rules, with those in groups", at: rules[Self.mostRules].node.startRange,
        hint: "at most \(Self.mostRules) are possible")
    }
    for rule in rules where !log.isClosed { declareTimers(in: rule.node) }
    for rule in rules where !log.isClosed { decode(rule) }
    guard !log.hasErrors else { return }  // what is wrong looks as if it were not there
    checkTimers()
    checkStates()
    checkVariables()
    checkHolding()
    checkReachability()
  }

  private func decode(_ node: RuleNode) {
    let triggers = triggers(node)
    var rule = RuleDecoder(decoder: self, triggers: triggers, scope: scope(of: triggers))
    let conditions = node.conditions.compactMap { place in
      read(place) { text throws(TextError) in try self.expression(text, as: .boolean, in: rule.scope) }
    }
    let states = states(node.states)
    let steps = rule.steps(node.node["do"])
    rule.checkAnswers(node.node["do"])
    nodes.rules.append(node.node)
    definition.rules.append(
      Rule(
        triggers: triggers, states: states, condition: Expression.all(conditions), steps: steps,
        repetitionCount: rule.repetitionCount, line: node.node.range.start.line,
        file: foreignFile(of: node.node), source: RuleText.source(of: node)))
  }

  /// The name of the file that a rule stands in; nil where that is the definition's own.
  private func foreignFile(of node: YAMLNode) -> String? {
    guard node.range.source != .main else { return nil }
    return files.sources[node.range.source.index].name.split(separator: "/").last.map(String.init)
  }

  /// Those that all of these name; nil: all.
  private func states(_ nodes: [YAMLNode]) -> Set<Int>? {
    nodes.compactMap(states).reduce(nil) { common, states in common?.intersection(states) ?? states }
  }

  /// The states that `in` names; nil: all.
  private func states(_ node: YAMLNode?) -> Set<Int>? {
    guard let node else { return nil }
    let names = node.text == nil ? node.elements : [node]
    if names.isEmpty, case .sequence = node.content {
      log.error("the list is empty", at: node.range, hint: "without 'in' the rule fires in every state")
    }
    return Set(names.compactMap(state))
  }

  /// The index of a state.
  func state(_ node: YAMLNode) -> Int? {
    guard let name = node.text else { return nil }
    if let index = definition.states.firstIndex(of: name) { return index }
    let hint =
      definition.states.isEmpty
      ? "declare it: states: [\(name)]" : Suggestion.hint(for: name, in: definition.states)
    log.error("no state '\(name)'", at: node.range, hint: hint)
    return nil
  }
}

// MARK: Events

extension DefinitionDecoder {
  /// What a rule waits for; nothing when that is wrong, which is reported.
  private func triggers(_ rule: RuleNode) -> [Rule.Trigger] {
    guard let node = rule.event else { return [] }
    switch node.text {
    case "start": return [.started]
    case "connect": return [.connected]
    case "disconnect": return [.disconnected]
    default: break
    }
    for event in node.entries {
      switch event.key.text {
      case "receive": return received(event.value, from: rule.from)
      case "subscribe": return notifying(event.value).map { [.subscribed($0)] } ?? []
      case "unsubscribe": return notifying(event.value).map { [.unsubscribed($0)] } ?? []
      case "read": return readable(event.value).map { [.read($0)] } ?? []
      case "write": return writable(event.value).map { [.written($0)] } ?? []
      case "timer": return timer(event.value).map { [.timer($0)] } ?? []
      case "enter": return state(event.value).map { [.entered($0)] } ?? []
      case "leave": return state(event.value).map { [.left($0)] } ?? []
      default: continue
      }
    }
    return []
  }

  private func received(_ node: YAMLNode, from place: YAMLNode?) -> [Rule.Trigger] {
    let ports = receivers(node, from: place)
    if node.text == "any" { return ports.map { .received(message: nil, from: $0) } }
    guard let message = node.text == nil ? anonymousMessage(node) : message(node) else { return [] }
    return ports.map { .received(message: message, from: $0) }
  }

  /// Where a message is waited for: where the rule says; else on each characteristic that can be written and is
  /// framed, or on all that can be written where none is framed.
  private func receivers(_ node: YAMLNode, from place: YAMLNode?) -> [Rule.Port] {
    if let place { return ports(place.text == nil ? place.elements : [place]) }
    let writable = definition.characteristics.indices.filter { definition.characteristics[$0].canBeWritten }
    let framed = writable.filter { definition.characteristics[$0].framing != nil }
    if writable.isEmpty {
      log.error(
        "no characteristic can be written, so nothing is received", at: node.range,
        hint: "add write to the properties of one, or 'from: wire'")
    }
    return (framed.isEmpty ? writable : framed).map { .characteristic($0) }
  }

  /// Places that are named one by one.
  private func ports(_ nodes: [YAMLNode]) -> [Rule.Port] {
    var seen: Set<Rule.Port> = []
    return nodes.compactMap { node in
      guard let port = port(node) else { return nil }
      if seen.insert(port).inserted { return port }
      log.error("a second '\(node.text ?? "")'", at: node.range, hint: "remove one of them")
      return nil
    }
  }

  /// Where bytes come in.
  func port(_ node: YAMLNode) -> Rule.Port? {
    if node.text == "wire" { return .wire }
    return writable(node, orAt: ["wire"]).map { .characteristic($0) }
  }

  private func writable(_ node: YAMLNode, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(node, orAt: others) else { return nil }
    if definition.characteristics[index].canBeWritten { return index }
    log.error(
      "'\(node.text ?? "")' cannot be written", at: node.range,
      hint: "add write or write-without-response to its properties")
    return nil
  }

  private func readable(_ node: YAMLNode) -> Int? {
    guard let index = characteristic(node) else { return nil }
    if definition.characteristics[index].properties.contains(.read) { return index }
    log.error("'\(node.text ?? "")' cannot be read", at: node.range, hint: "add read to its properties")
    return nil
  }

  func notifying(_ node: YAMLNode, orAt others: [String] = []) -> Int? {
    guard let index = characteristic(node, orAt: others) else { return nil }
    if definition.characteristics[index].canNotify { return index }
    log.error(
      "nobody can subscribe to '\(node.text ?? "")'", at: node.range,
      hint: "it has neither notify nor indicate")
    return nil
  }

  private func scope(of triggers: [Rule.Trigger]) -> NameScope {
    switch triggers.first {
    case .received(let message, _):
      let fields = message.map { definition.messages[$0].fields } ?? []
      var scope = scope.adding([.frame, .origin]).adding(fields: fields)
      scope.origins = triggers.compactMap(\.port).map { definition.name(of: $0) }
      return scope
    case .written: return scope.adding([.value, .offset])
    case .read: return scope.adding([.offset])
    default: return scope
    }
  }
}

// MARK: Expressions

extension DefinitionDecoder {
  /// The expression of a text, which must be of this type.
  func expression(
    _ text: String, as type: ValueType, in scope: NameScope
  ) throws(TextError) -> Expression {
    let typed = try ExpressionChecker.check(text, in: scope)
    if type == .decimal, typed.type == .integer { return typed.expression.asDecimal }
    guard typed.type == type else {
      let hint = type == .integer && typed.type == .decimal ? "round it: ceil(…), floor(…) or round(…)" : nil
      throw TextError(
        message: "expected \(type.phrase), found \(typed.type.phrase)", range: 0..<text.unicodeScalars.count,
        hint: hint)
    }
    return typed.expression
  }

  /// Milliseconds. A bare number would be ambiguous.
  func milliseconds(
    _ text: String, atLeast least: Int64, in scope: NameScope
  ) throws(TextError) -> Expression {
    let range = 0..<text.unicodeScalars.count
    if text.trimmed.allSatisfy({ $0.isNumber || $0 == "." || $0 == "_" }), !text.trimmed.isEmpty {
      throw TextError(message: "a duration has a unit", range: range, hint: "write \(text.trimmed)ms")
    }
    let (expression, type) = try ExpressionChecker.check(text, in: scope)
    guard type == .integer else {
      let hint = type == .decimal ? "round it: ceil(…), floor(…) or round(…)" : "as in 500ms, 1.5s or 2min"
      throw TextError(message: "expected a duration, found \(type.phrase)", range: range, hint: hint)
    }
    if case .constant(.integer(let number)) = expression, number < least || number > Rule.longestDuration {
      throw TextError(
        message: "\(number) ms is not in \(least) ms to \(Rule.longestDuration / 86_400_000) days",
        range: range)
    }
    return expression
  }
}

extension Expression {
  /// Whether all of them are true; nil where there is none.
  fileprivate static func all(_ conditions: [Expression]) -> Expression? {
    conditions.reduce(nil) { all, condition in all.map { .binary(.and, $0, condition) } ?? condition }
  }
}

// MARK: Timers

extension DefinitionDecoder {
  private static let mostTimers = 256

  /// A timer is whatever a `start` names.
  private func declareTimers(in rule: YAMLNode) {
    for action in rule.actionsBelow {
      guard let node = action["start"], let name = node.text else { continue }
      if !definition.timers.contains(name) { definition.timers.append(name) }
      guard definition.timers.count <= Self.mostTimers else {
        return log.close(
          with: "more than \(Self.mostTimers) timers", at: node.range, hint: "a device has at most so many")
      }
    }
  }

  func timer(_ node: YAMLNode) -> Int? {
    guard let name = node.text else { return nil }
    if let index = definition.timers.firstIndex(of: name) { return index }
    log.error(
      "nothing starts the timer '\(name)'", at: node.range,
      hint: definition.timers.isEmpty
        ? "an action starts it: { start: \(name), every: 1s }"
        : Suggestion.hint(for: name, in: definition.timers))
    return nil
  }
}
