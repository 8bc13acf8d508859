import Bluetooth
import DeviceModel

/// Reads the rules.
struct RuleDecoder {
  private(set) var parts: RuleParts
  /// The messages of the device, and the unnamed messages that rules wait for.
  private(set) var messages: [MessageTemplate]
  private let names: NameScope
  private let log: DiagnosticLog
  private var cutMessages: [CutMessage] = []
  private(set) var layerUses = LayerUses()

  /// - Parameters:
  ///   - device: the device without its rules.
  ///   - messages: the names of its messages, including wrong ones.
  ///   - sharedActions: their names, with their parameters.
  init(
    _ device: PeripheralDefinition, messages: [String], sharedActions: [Scalar], names: NameScope,
    log: DiagnosticLog
  ) {
    parts = RuleParts(device, messages: messages, log: log)
    parts.declareParameters(of: sharedActions, names)
    (self.messages, self.names, self.log) = (device.messages, names, log)
  }

  private static let mostRules = 2000

  mutating func rules(_ entries: [RuleEntry], _ files: DefinitionFiles) -> [Rule] {
    if entries.count > Self.mostRules {
      log.close(
        with: .tooManyRules(entries.count, most: Self.mostRules),
        at: entries[Self.mostRules].rule.place)
      return []
    }
    for entry in entries where !log.isClosed { parts.declareTimers(in: entry.rule.actions) }
    var rules: [Rule] = []
    for entry in entries where !log.isClosed { rules.append(rule(entry, files)) }
    return rules
  }

  private mutating func rule(_ entry: RuleEntry, _ files: DefinitionFiles) -> Rule {
    let file = files.name(of: entry.rule.range.source)
    log.reader = "the rule in line \(entry.rule.range.start.line)" + (file.map { " of \($0)" } ?? "")
    let triggers = triggers(entry)
    let fields = CommonFields(of: triggers, in: messages)
    let names = names(of: triggers, fields)
    let reader = TextReader(names, log)
    let conditions = entry.conditions.compactMap { reader.expression($0, as: .boolean) }
    let (states, lasting) = (states(entry.states), states(entry.lasting))
    var actions = ActionDecoder(
      parts, triggers, names, cutMessages: cutMessages, layerUses: layerUses, log: log)
    let steps = actions.steps(entry.rule.actions)
    (cutMessages, layerUses) = (actions.cutMessages, actions.layerUses)
    AnswerChecker(triggers: triggers, log: log).check(entry.rule.actions)
    var rule = Rule(
      triggers: triggers, states: lasting.map { states?.intersection($0) ?? $0 } ?? states, lasting: lasting,
      condition: Expression.all(conditions), steps: steps, locals: actions.locals,
      line: entry.rule.range.start.line, file: file, source: RuleText.source(of: entry))
    rule.commonFields = fields.positions
    checkResponse(of: rule, at: entry.rule.place)
    return rule
  }

  /// Whether a central still waits for the response that a rule places (Vol 3 Part F 3.3.3).
  private func checkResponse(of rule: Rule, at place: SourceRange) {
    let seconds = rule.waitBeforeResponse / 1000
    if seconds >= 30 { log.warn(.unheardResponse(seconds: seconds), at: place) }
  }

  /// The states that are in all lists; nil: all states.
  private func states(_ lists: [[Scalar]]) -> Set<Int>? {
    lists.map { Set($0.compactMap(parts.state)) }.reduce(nil) { common, states in
      common?.intersection(states) ?? states
    }
  }
}

// MARK: Events

extension RuleDecoder {
  /// The triggers of a rule; empty if they are wrong.
  private mutating func triggers(_ entry: RuleEntry) -> [Rule.Trigger] {
    guard let event = entry.rule.event else { return [] }
    if !event.receive.isEmpty { return received(event.receive, from: entry.origins) }
    if !event.send.isEmpty { return sent(event.send, from: entry.origins, at: event) }
    return triggers(event)
  }

  private func triggers(_ event: Node<Language.Event>) -> [Rule.Trigger] {
    guard let word = event.word?.text,
      let trigger = Rule.Trigger.words.first(where: { $0.key == word })?.value
    else {
      return named(event)
    }
    if trigger == .addressChanged { checkAddress(event) }
    return [trigger]
  }

  /// Those of an event that names one thing, or several.
  private func named(_ event: Node<Language.Event>) -> [Rule.Trigger] {
    let finder = parts.characteristics
    let kinds: [([Scalar], Rule.Trigger, (Scalar) -> Rule.Trigger?)] = [
      (event.subscribe, .subscribed(0), { finder.notifying($0).map { .subscribed($0) } }),
      (event.unsubscribe, .unsubscribed(0), { finder.notifying($0).map { .unsubscribed($0) } }),
      (event.open, .opened(0), { finder.channel($0).map { .opened($0) } }),
      (event.close, .closed(0), { finder.channel($0).map { .closed($0) } }),
      (event.found, .found(0), { finder.sought($0).map { .found($0) } }),
      (event.missing, .missing(0), { finder.sought($0).map { .missing($0) } }),
      (event.refused, .refused(0), { finder.sought($0).map { .refused($0) } }),
      (event.read, .read(.characteristic(0)), { finder.readAttribute($0) }),
      (event.write, .written(.characteristic(0)), { finder.writtenAttribute($0) }),
      (event.timer, .timer(0), { parts.timer($0).map { .timer($0) } }),
      (event.enter, .entered(0), { parts.state($0).map { .entered($0) } }),
      (event.leave, .left(0), { parts.state($0).map { .left($0) } }),
      (event.control, .control(0), { parts.control($0).map { .control($0) } }),
      (event.slot, .set(.setting(0)), { used($0, as: parts.outsideSlot($0, names)).map { .set($0) } }),
      (
        event.changed, .changed(.setting(0)),
        { used($0, as: parts.slot($0, names)?.slot).map { .changed($0) } }
      ),
    ]
    guard let (names, kind, find) = kinds.first(where: { !$0.0.isEmpty }) else { return [] }
    var device = parts.device
    device.timers = parts.timers
    let all = device.allTriggers(like: kind) ?? []
    let isName = all.contains { device.name(of: $0) == Self.any }
    if let any = names.first(where: { $0.text == Self.any }), !isName {
      if names.count > 1 { log.error(.anyAmongNames, at: any.range) }
      if all.isEmpty, !log.hasErrors { log.error(.nothingForAny, at: any.range) }
      if !event.slot.isEmpty || !event.changed.isEmpty {
        for trigger in all { _ = device.name(of: trigger).map(self.names.use) }
      }
      return all
    }
    var triggers: [Rule.Trigger] = []
    for name in names {
      guard let trigger = find(name) else { continue }
      if triggers.contains(trigger) { log.error(.second(name.text), at: name.range) }
      triggers.append(trigger)
    }
    return triggers.count == names.count ? triggers : []
  }

  private static let any = "any"

  /// A definition that extends another may take the private addresses away, and keep the rule.
  private func checkAddress(_ event: Node<Language.Event>) {
    let advertisement = parts.device.advertisement
    let isPrivate = ([advertisement] + advertisement.furtherSets).contains { $0.address?.period != nil }
    if !isPrivate, let word = event.word, word.range.source == .main {
      log.error(.addressStays, at: word.range)
    }
  }

  /// The setting or variable for which a rule waits; the rule counts as its use.
  private func used(_ name: Scalar, as slot: Rule.Slot?) -> Rule.Slot? {
    if slot != nil { _ = names.use(name.text) }
    return slot
  }

  /// Each of the messages at each of the places; empty if a message is wrong.
  private mutating func received(_ uses: [Language.MessageUse], from origins: [Scalar]) -> [Rule.Trigger] {
    let endpoints = origins.isEmpty ? receivers(uses[0]) : parts.characteristics.endpoints(origins)
    return indices(of: uses).flatMap { message in endpoints.map { .received(message: message, from: $0) } }
  }

  /// Each of the messages into each of the layers; empty if a message or a layer is wrong.
  private mutating func sent(
    _ uses: [Language.MessageUse], from origins: [Scalar], at event: Node<Language.Event>
  ) -> [Rule.Trigger] {
    if origins.isEmpty { log.error(.sendWithoutLayer, at: event.place) }
    let layers = origins.compactMap(parts.characteristics.layer)
    return indices(of: uses).flatMap { message in layers.map { .sent(message: message, layer: $0) } }
  }

  /// The indices of the messages that a rule waits for, nil for any; empty if one is wrong.
  private mutating func indices(of uses: [Language.MessageUse]) -> [Int?] {
    var messages: [Int?] = []
    for use in uses {
      guard let message = message(use, isOneOf: uses.count) else { continue }
      if messages.contains(message.index) {
        log.error(.second(use.name?.text ?? "any"), at: use.range)
      } else {
        messages.append(message.index)
      }
    }
    return messages.count == uses.count ? messages : []
  }

  /// The index of a message that a rule waits for, or nil for any frame; the outer nil for a wrong one.
  private mutating func message(_ use: Language.MessageUse, isOneOf count: Int) -> (index: Int?, Void)? {
    switch use {
    case .named(let name) where name.text == "any":
      if count > 1 { log.error(.anyAmongOthers, at: name.range) }
      return (nil, ())
    case .named(let name): return parts.message(name).map { ($0, ()) }
    case .written(let written): return add(written).map { ($0, ()) }
    }
  }

  /// The index of a message that has no name.
  private mutating func add(_ written: Node<Language.Message>) -> Int? {
    guard let message = MessageDecoder(checksums: names.checksums, log: log).message("", written) else {
      return nil
    }
    messages.append(message)
    return messages.count - 1
  }

  /// The places where a message may arrive by default.
  private func receivers(_ use: Language.MessageUse) -> [Rule.Endpoint] {
    let receivers = parts.device.receivers
    if receivers.isEmpty { log.error(.nothingReceived, at: use.range) }
    return receivers
  }

  /// The names that the expressions of a rule may use.
  private func names(of triggers: [Rule.Trigger], _ fields: CommonFields) -> NameScope {
    let names = namesOfKind(of: triggers, fields)
    var device = parts.device
    device.timers = parts.timers
    let origins = triggers.compactMap { device.name(of: $0) }
    return origins.isEmpty || triggers[0].endpoint != nil ? names : names.adding(origins: origins)
  }

  private func namesOfKind(of triggers: [Rule.Trigger], _ fields: CommonFields) -> NameScope {
    if triggers.contains(where: { if case .configured = $0 { true } else { false } }) {
      return names.adding([.value])
    }
    switch triggers.first {
    case nil:  // the event is wrong, which is reported
      var names = names
      names.isIncomplete = true
      return names
    case .received:
      var names = names.adding([.frame, .origin]).adding(fields: fields.fields, partial: fields.partial)
      names.origins = triggers.compactMap(\.endpoint).map { parts.device.name(of: $0) }
      return names
    case .sent: return names.adding([.frame]).adding(fields: fields.fields, partial: fields.partial)
    case .written: return names.adding([.value, .offset])
    case .read: return names.adding([.offset])
    case .parametersChanged: return names.adding(KnownValue.ofParameters)
    case .phyChanged: return names.adding(KnownValue.ofPHY)
    case .disconnected: return names.adding([.reason], NameScope.Reasons(isOfDisconnection: true))
    case .linkLost: return names.adding([.reason])
    case .encryptionFailed:
      return names.adding([.reason], NameScope.Reasons(ownExample: HCIError.keyMissing.name))
    case .parametersRefused:
      let own = ParameterRefusal.ownNames
      return names.adding([.reason], NameScope.Reasons(furtherNames: own, ownExample: own[0]))
    case .refused:
      return names.adding(
        [.reason],
        NameScope.Reasons(furtherNames: ATTError.allNames, ownExample: ATTError.insufficientEncryption.name))
    case .started:
      var names = names
      names.isStart = true
      return names
    default: return names
    }
  }
}

extension Expression {
  /// Whether all of them are true; nil if there are none.
  fileprivate static func all(_ conditions: [Expression]) -> Expression? {
    conditions.reduce(nil) { all, condition in all.map { .binary(.and, $0, condition) } ?? condition }
  }
}

extension DefinitionFiles {
  /// The name of a file without its folder; nil for the definition's own.
  fileprivate func name(of source: SourceID) -> String? {
    guard source != .main else { return nil }
    return sources[source.index].name.split(separator: "/").last.map(String.init)
  }
}
