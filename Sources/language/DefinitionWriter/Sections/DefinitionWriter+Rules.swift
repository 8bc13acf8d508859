import DeviceModel

// Rules and controls.
extension DefinitionWriter {
  /// The rules of the section `rules`, and each control with the rule for it: the last rules, if they do nothing but wait
  /// for the controls in order.
  var rulesAndControls: (rules: [Rule], controls: [(ControlDefinition, Rule?)]) {
    var (rules, controls) = (device.rules[...], device.controls.map { ($0, nil as Rule?) })
    for index in controls.indices.reversed() {
      guard let last = rules.last, last.triggers == [.control(index)], last.condition == nil,
        last.states == nil,
        controls[index].0.kind == .button
      else { continue }
      controls[index].1 = last
      rules.removeLast()
    }
    return (Array(rules), controls)
  }

  func control(_ control: ControlDefinition, _ rule: Rule?) throws -> YAMLValue.Entry {
    var entries: [YAMLValue.Entry] = []
    if control.label != control.name { entries.add("label", .text(control.label)) }
    if case .bound(let slot) = control.kind { entries.add("set", .text(device[slot].name)) }
    entries.add("do", try rule.map { try actions(of: $0) })
    return .init(control.name, .object(entries, .compact))
  }

  func rule(_ rule: Rule) throws -> YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("on", event(rule.triggers))]
    if rule.states != rule.lasting { entries.add("in", rule.states.map(states)) }
    entries.add("while", rule.lasting.map(states))
    let writer = ExpressionWriter(device: device, names: names(in: rule))
    entries.add("if", try rule.condition.map { try writer.value($0) })
    entries.add("do", try actions(of: rule))
    return .object(entries, .block)
  }

  private func states(_ states: Set<Int>) -> YAMLValue {
    .oneOrMore(states.sorted().map { .text(device.states[$0]) }, .compact)
  }

  /// What a rule does. Rules with the same actions do the same, unless these read fields of their messages.
  package func actions(of rule: Rule) throws -> YAMLValue {
    let writer = ActionWriter(rule: rule, device: device, names: names(in: rule), shared: sharedActions)
    return try writer.actions(rule.steps)
  }

  /// The names that the expressions of a rule may use. The counterpart of `RuleDecoder.names(of:_:)`.
  private func names(in rule: Rule) -> Names {
    var names = names
    let isConfigured = rule.triggers.contains { if case .configured = $0 { true } else { false } }
    switch rule.triggers.first {
    case .written where isConfigured, .configured: names = names.adding([.value])
    case .received:
      let fields = fields(of: rule)
      names = names.adding([.frame, .origin]).adding(fields.common, hidden: fields.others)
    case .sent:
      let fields = fields(of: rule)
      names = names.adding([.frame]).adding(fields.common, hidden: fields.others)
    case .written: names = names.adding([.value, .offset])
    case .read: names = names.adding([.offset])
    case .parametersChanged: names = names.adding(KnownValue.ofParameters)
    case .phyChanged: names = names.adding(KnownValue.ofPHY)
    case .disconnected, .linkLost, .parametersRefused, .encryptionFailed, .refused:
      names = names.adding([.reason])
    default: break
    }
    if rule.triggers.count > 1, rule.triggers[0].endpoint == nil { names = names.adding([.origin]) }
    names.locals = rule.locals
    return names
  }

  /// The fields that a rule's expressions can use, and the names of those that only some of its messages have.
  private func fields(of rule: Rule) -> (common: [MessageTemplate.Field], others: [String]) {
    let indices = rule.triggers.compactMap(\.message)
    guard let first = indices.first else { return ([], []) }
    let fields = device.messages[first].fields
    let common = rule.commonFields[first].map { $0.map { fields[$0] } } ?? fields
    let all = indices.flatMap { device.messages[$0].fields.map(\.name) }
    return (common, all.filter { name in !common.contains { $0.name == name } })
  }
}

// MARK: Events

extension DefinitionWriter {
  private func event(_ triggers: [Rule.Trigger]) -> YAMLValue {
    switch triggers.first {
    case .received: received(triggers)
    case .sent: sent(triggers)
    case .subscribed: event("subscribe", triggers)
    case .unsubscribed: event("unsubscribe", triggers)
    case .opened: event("open", triggers)
    case .closed: event("close", triggers)
    case .found: event("found", triggers)
    case .missing: event("missing", triggers)
    case .refused: event("refused", triggers)
    case .read: event("read", triggers)
    case .written, .configured: event("write", triggers)
    case .timer: event("timer", triggers)
    case .entered: event("enter", triggers)
    case .left: event("leave", triggers)
    case .control: event("control", triggers)
    case .set: event("set", triggers)
    case .changed: event("change", triggers)
    case let trigger: .word(Rule.Trigger.words.first { $0.value == trigger }?.key ?? "start")
    }
  }

  private func event(_ key: String, _ triggers: [Rule.Trigger]) -> YAMLValue {
    let names = triggers.compactMap { device.name(of: $0) }
    let all = device.allTriggers(like: triggers[0]) ?? []
    let isAny = triggers.count > 1 && triggers == all && !names.contains("any")
    return .object(
      [.init(key, isAny ? .word("any") : .oneOrMore(names.map { .text($0) }, .compact))], .compact)
  }

  private func received(_ triggers: [Rule.Trigger]) -> YAMLValue {
    let endpoints = Self.distinct(triggers.map(\.place))
    return passing("receive", triggers, endpoints == device.receivers ? [] : endpoints)
  }

  private func sent(_ triggers: [Rule.Trigger]) -> YAMLValue {
    passing("send", triggers, Self.distinct(triggers.map(\.place)))
  }

  /// - Parameter endpoints: the places of the messages; empty: those of every rule without any.
  private func passing(
    _ key: String, _ triggers: [Rule.Trigger], _ endpoints: [Rule.Endpoint?]
  ) -> YAMLValue {
    let messages = Self.distinct(triggers.map(\.message))
    var entries: [YAMLValue.Entry] = [.init(key, .oneOrMore(messages.map(message), .compact))]
    if !endpoints.isEmpty {
      let names = endpoints.compactMap { $0.map(device.name(of:)) }
      entries.add("from", .oneOrMore(names.map { .text($0) }, .compact))
    }
    return .object(entries, .compact)
  }

  private static func distinct<Element: Equatable>(_ elements: [Element]) -> [Element] {
    elements.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The name of a message that a rule waits for, or the message itself if it has none.
  private func message(_ index: Int?) -> YAMLValue {
    guard let index else { return .word("any") }
    let message = device.messages[index]
    return message.name.isEmpty ? Self.message(message.source, message.form) : .text(message.name)
  }
}
