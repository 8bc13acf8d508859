import Bluetooth
import DeviceModel
import Framing

extension LearntDefinition {
  /// Adds rules with which the device does what it did in the recording: after each request, after a subscription and after the
  /// connection, it sends the recorded values at the recorded times, refuses, or disconnects.
  ///
  /// - A request with several recorded effects steps through them and then starts again, in each connection from the first one
  ///   on.
  /// - If the recorded connections differ, the effect is that which the request had after the same requests on the same
  ///   connection. If the history does not determine it, or is unlike all recorded ones, the steps go on from connection to
  ///   connection.
  /// - A read with several results, values or errors, gives one after the other, and then keeps the last. Where all connections
  ///   began alike, each begins with the first. What a write or a sent value has set needs no rule.
  /// - If a request comes before the effects of another one are over, both go on: nothing is lost. The same request begins
  ///   anew with values that last.
  /// - Values that still came regularly when the link ended, or when the next request came, go on as before.
  /// - Requests that differ in a sequence number, a time or a checksum are one, and the answer repeats those bytes as recorded.
  /// - An unknown request gets the effects of a known one of its kind, or else none. The log says so.
  ///
  /// - Parameter explained: the handles of the values whose requests and values other rules deal with.
  package mutating func addRecordedAnswers(
    of conversations: [Conversation], _ table: ObservedTable, except explained: Set<AttributeHandle> = []
  ) {
    let history = RecordedHistory(conversations, table, except: explained)
    var writer = ReplayWriter(self, table, history)
    writer.addReads(conversations, except: explained)
    writer.add(history.refusals)
    writer.add(RecordedScripts(conversations, table, history, except: explained))
    self = writer.definition
    joinRules()
    if writer.isCut {
      origin.append("The recording is longer than a definition can be: the rest of its values is left out.")
    }
  }
}

/// Makes rules of recorded answers.
struct ReplayWriter {
  var definition: LearntDefinition
  let table: ObservedTable
  let history: RecordedHistory
  var forms: RequestForms { history.forms }
  var names: ModelNames
  /// The messages that the device sends, by their templates.
  var answers: [String: Int] = [:]
  /// The table of the recorded history; nil: no rule needs it.
  var historyTable: Int?
  /// The timers of effects that go on as before after what was recorded, with the variables that tell it.
  var loopingStreams: [(timer: Int, round: Int)] = []
  /// How many bytes of values may still go to tables: all data files have at most 8 MiB, in three characters a byte.
  var bytesLeft = 2 << 20
  var rowsLeft = 60_000
  /// Whether the recording is too long for a definition.
  var isCut = false
  /// A definition has at most 2,000 rules.
  private static let mostRules = 1900

  init(_ definition: LearntDefinition, _ table: ObservedTable, _ history: RecordedHistory) {
    (self.definition, self.table, self.history) = (definition, table, history)
    names = ModelNames(taken: definition.names)
  }

  mutating func add(_ scripts: RecordedScripts) {
    for trigger in scripts.triggers {
      guard let occurrences = scripts.occurrences[trigger] else { continue }
      switch trigger {
      case .connect:
        definition.device.rules += rules(on: .connected, name: "connection", occurrences, origin: nil)
      case .subscribe(let handle):
        guard let index = characteristic(handle) else { continue }
        let name = "stream-\(definition.device.characteristics[index].id)"
        definition.device.rules += rules(on: .subscribed(index), name: name, occurrences, origin: handle)
      case .write: break
      }
    }
    let written = scripts.triggers.compactMap { trigger in
      if case .write(_, let handle) = trigger { handle } else { nil }
    }
    let groups = written.distinct.compactMap { group(for: $0, scripts) }
    addHistory()
    for group in groups { add(group) }
    endLoops(at: scripts.triggers)
  }

  /// The characteristic whose value has a handle, by index in the definition.
  func characteristic(_ handle: AttributeHandle) -> Int? { definition.characteristic(table.id(of: handle)) }

  /// Likewise, if rules see what is written to it.
  func written(_ handle: AttributeHandle) -> Int? {
    table.characteristic(of: handle)?.canBeWritten == true ? characteristic(handle) : nil
  }

  /// What the central writes to a characteristic, with its effects.
  private struct Group {
    let handle: AttributeHandle
    let characteristic: Int
    let tree: RequestTree
    let naming: RequestNames
    /// The rules for each request.
    var rules: [[Rule]] = []
    /// The rules of each uniform branch.
    var shared: [Int: [Rule]] = [:]
    /// What other branches do that repeat bytes of the request.
    var derived: [Int: [Rule.Step]] = [:]
  }

  /// The rules for what the central writes to a characteristic.
  private mutating func group(for handle: AttributeHandle, _ scripts: RecordedScripts) -> Group? {
    guard let characteristic = written(handle) else { return nil }
    var requests: [RecordedRequest] = []
    for case .write(let bytes, handle) in scripts.triggers where !bytes.isEmpty {
      let trigger = RecordedTrigger.write(bytes, handle)
      let granted = (scripts.occurrences[trigger] ?? []).map { $0.filter { $0.refusal == nil } }
      guard granted.contains(where: { !$0.isEmpty }) else { continue }
      requests.append(RecordedRequest(bytes: bytes, free: forms.free(of: trigger), effects: granted))
    }
    // What was recorded with a wrong checksum is no request with any checksum.
    requests = requests.filter { $0.free.all.isEmpty } + requests.filter { !$0.free.all.isEmpty }
    var group = Group(
      handle: handle, characteristic: characteristic,
      tree: RequestTree(requests, forms.answerChecks),
      naming: RequestNames(requests.map(\.key)))
    for (index, request) in requests.enumerated() {
      guard definition.device.rules.count + group.rules.count < Self.mostRules else {
        isCut = true
        break
      }
      group.rules.append(
        group.tree.shared.contains(index) ? [] : rules(for: request, request.template, in: group))
    }
    for (index, branch) in group.tree.branches.enumerated() {
      var request = group.tree.requests[branch.example]
      if let effect = branch.effect { request.effects = [[effect]] }
      if branch.isUniform {
        group.shared[index] = rules(for: request, branch.template, in: group)
      } else if let effect = branch.effect {
        let event = Rule.Trigger.received(message: nil, from: .characteristic(characteristic))
        let name = group.naming.name(of: request.key)
        group.derived[index] = actions(of: effect, Effect(name: name, event: event, origin: handle))
      }
    }
    return group
  }

  private mutating func rules(for request: RecordedRequest, _ template: String, in group: Group) -> [Rule] {
    let name = names.unique("request-\(group.naming.name(of: request.key))")
    guard let message = definition.addMessage(name, template) else { return [] }
    return rules(
      on: .received(message: message, from: .characteristic(group.characteristic)),
      name: String(name.dropFirst("request-".count)), request.effects, origin: group.handle,
      alwaysWritten: true)
  }

  /// Adds the rules of a group, and those for requests that were never recorded.
  private mutating func add(_ group: Group) {
    for (request, rules) in zip(group.tree.requests, group.rules) {
      let follows = forms.hasFree(group.handle) ? follow(request.key, to: group.characteristic) : []
      definition.device.rules += rules.beginning(with: follows.map { .init($0) })
    }
    let place = Rule.Endpoint.characteristic(group.characteristic)
    for (index, branch) in group.tree.branches.enumerated() where branch.example < group.rules.count {
      let request = group.tree.requests[branch.example]
      let follows = follow(request.key, to: group.characteristic)
      if let rules = group.shared[index] {
        let isLost = definition.place.map { Expression.binary(.equal, $0, .number(0)) }
        let own = forms.hasFree(group.handle) ? follow(request.keyOfFrame, to: group.characteristic) : []
        let steps = own.map { Rule.Step($0) } + follows.map { .init($0, if: isLost) }
        definition.device.rules += rules.beginning(with: steps)
        continue
      }
      guard let message = definition.addMessage("", branch.template) else { continue }
      let example = HexText.format(Array(request.bytes.prefix(20)))
      let notes = [Self.unknown("answered like \(example)")] + follows
      let effect = group.derived[index] ?? [.init(.receive(request.completed, from: nil))]
      definition.device.rules.append(
        Rule(on: .received(message: message, from: place), notes.map { .init($0) } + effect))
    }
    definition.device.rules.append(
      Rule(on: .received(message: nil, from: place), [Self.unknown("no answer")]))
  }

  static func unknown(_ consequence: String) -> Rule.Action {
    let text = "{hex(frame, ' ')} was not recorded: \(consequence)"
    return .log(ValueTemplate(learnt: text, form: .text(ignoringCase: false), .hex(.frame)))
  }

  /// A rule. The language has none without an action: what has no effect in the recording only tells so.
  static func rule(on event: Rule.Trigger, _ steps: [Rule.Step], repeats: Bool = false) -> Rule {
    let steps = steps.isEmpty ? [.init(log("no effect, as recorded"))] : steps
    return Rule(on: event, steps, repetitions: repeats ? ["i"] : [])
  }

  static func log(_ text: String) -> Rule.Action {
    .log(ValueTemplate(learnt: text, form: .text(ignoringCase: false)))
  }
}

extension [Rule] {
  /// With these steps at the beginning of the first one.
  fileprivate func beginning(with steps: [Rule.Step]) -> Self {
    var rules = self
    if !rules.isEmpty { rules[0].steps = steps + rules[0].steps }
    return rules
  }
}

// MARK: What the device refuses

extension ReplayWriter {
  /// What the properties and the permissions refuse by themselves.
  static let impliedErrors: Set<ATTError> = [
    .writeNotPermitted, .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort,
  ]

  /// The rules for what is refused whatever came before: writes to descriptors, writes before a subscription, requests.
  mutating func add(_ refusals: RecordedRefusals) {
    for (handle, error) in refusals.unsubscribed.sorted(by: { $0.key < $1.key }) {
      guard let index = written(handle), !Self.impliedErrors.contains(error) else { continue }
      refuse(index, error, if: .unary(.not, .isSubscribed(index)))
    }
    for (handle, value, error) in refusals.always {
      guard !Self.impliedErrors.contains(error), let event = event(ofWriting: handle) else { continue }
      let isSame = value.map { Expression.binary(.equal, .known(.value), .bytes($0)) }
      definition.device.rules.append(Rule(on: event, if: isSame, [.refuse(error)]))
    }
  }

  mutating func refuse(
    _ characteristic: Int, _ error: ATTError, if condition: Expression, first: [Rule.Action] = []
  ) {
    let event = Rule.Trigger.written(.characteristic(characteristic))
    definition.device.rules.append(Rule(on: event, if: condition, first + [.refuse(error)]))
  }

  /// The event that a central writes an attribute. The Client Characteristic Configuration (2902) of what sends values
  /// belongs to the server.
  private func event(ofWriting handle: AttributeHandle) -> Rule.Trigger? {
    guard let descriptor = table.descriptor(at: handle), let index = characteristic(handle) else {
      return written(handle).map { .written(.characteristic($0)) }
    }
    let characteristic = definition.device.characteristics[index]
    if descriptor.uuid == 0x2902, characteristic.canNotify {
      return characteristic.cccd == .none ? nil : .configured(index)
    }
    let number = characteristic.descriptors.firstIndex { $0.uuid == descriptor.uuid && $0.canWrite }
    return number.map { .written(.descriptor($0, of: index)) }
  }
}
