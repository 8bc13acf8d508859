import Bluetooth
import Definitions
import Framing

/// A device's behaviour: events in, actions out.
///
/// It has no clock and does no IO: it is told the time. The same engine answers under BlueZ, in memory and
/// in tests, and gives the same answers.
package struct Engine: Sendable {
  let definition: PeripheralDefinition
  var context: EvaluationContext
  /// What is read from each characteristic, and from each of its descriptors.
  var values: [[UInt8]]
  var descriptorValues: [[[UInt8]]]
  var framers: [StreamKey: Framer] = [:]
  private let receiving: [RuleIndex?]
  private let rulesByTrigger: [Rule.Trigger: [Int]]

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - address: the device's address.
  /// - Throws: ``EvaluationError`` or ``EncodingError`` when an initial value has no bytes.
  package init(_ definition: PeripheralDefinition, settings: [Value], address: DeviceAddress) throws {
    let context = definition.context(settings: settings, address: address)
    self.definition = definition
    self.context = context
    values = try definition.characteristics.map { try $0.value.render(in: context) }
    descriptorValues = try definition.characteristics.map { characteristic in
      try characteristic.descriptors.map { try $0.value.render(in: context) }
    }
    receiving = definition.characteristics.indices.map { Self.ruleIndex(of: definition, characteristic: $0) }
    rulesByTrigger = Dictionary(grouping: definition.rules.indices) { definition.rules[$0].trigger }
  }

  private static func ruleIndex(of definition: PeripheralDefinition, characteristic: Int) -> RuleIndex? {
    let rules = definition.rules.indices.compactMap { index -> (rule: Int, message: MessageTemplate)? in
      guard case .received(let message, characteristic) = definition.rules[index].trigger else { return nil }
      return (index, definition.messages[message])
    }
    return rules.isEmpty ? nil : RuleIndex(rules)
  }

  /// Takes one event and says what is to be done, in order.
  package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .connected: fire(.connected, into: &actions)
    case .disconnected(let central):
      forgetStreams(of: central, into: &actions)
      fire(.disconnected, into: &actions)
    case .subscribed(_, let characteristic): fire(.subscribed(characteristic), into: &actions)
    case .unsubscribed(_, let characteristic): fire(.unsubscribed(characteristic), into: &actions)
    case .readRequested(_, let attribute, let offset): read(attribute, offset, into: &actions)
    case .writeRequested(let central, let attribute, let value, let offset, _):
      write(value, to: attribute, offset, by: central, at: now, into: &actions)
    case .wireReceived(let bytes): receiveFromWire(bytes, into: &actions)
    case .timerFired(.frameGap(let key)): expireFrame(key, at: now, into: &actions)
    }
    return actions
  }
}

// MARK: Attributes

extension Engine {
  private func read(_ attribute: AttributeReference, _ offset: Int, into actions: inout [Action]) {
    let value = self[attribute]
    actions.append(
      offset <= value.count
        ? .respond(offset == 0 ? value : Array(value[offset...])) : .refuse(.invalidOffset))
  }

  private mutating func write(
    _ bytes: [UInt8], to attribute: AttributeReference, _ offset: Int, by central: Central?, at now: Instant,
    into actions: inout [Action]
  ) {
    guard offset <= self[attribute].count else { return actions.append(.refuse(.invalidOffset)) }
    guard offset + bytes.count <= CharacteristicDefinition.maximumValueSize else {
      return actions.append(.refuse(.invalidAttributeValueLength))
    }
    self[attribute] = offset == 0 ? bytes : self[attribute][..<offset] + bytes
    guard case .characteristic(let index) = attribute else { return }
    if index == definition.wire.bridge { actions.append(.writeToWire(bytes)) }
    receive(bytes, on: StreamKey(central: central, characteristic: index), at: now, into: &actions)
  }

  /// An attribute's value: what was last written to it or sent from it, at first what the definition says.
  private subscript(attribute: AttributeReference) -> [UInt8] {
    get {
      switch attribute {
      case .characteristic(let index): values[index]
      case .descriptor(let index, let characteristic): descriptorValues[characteristic][index]
      }
    }
    set {
      switch attribute {
      case .characteristic(let index): values[index] = newValue
      case .descriptor(let index, let characteristic): descriptorValues[characteristic][index] = newValue
      }
    }
  }

  private mutating func notify(_ characteristic: Int, _ value: [UInt8], into actions: inout [Action]) {
    let limit = definition.link.maximumValue ?? CharacteristicDefinition.maximumValueSize
    values[characteristic] = Array(value.suffix(limit))
    actions.append(.notify(characteristic: characteristic, value))
  }

  private mutating func receiveFromWire(_ bytes: [UInt8], into actions: inout [Action]) {
    if let bridge = definition.wire.bridge { notify(bridge, bytes, into: &actions) }
  }
}

// MARK: Streams

extension Engine {
  private mutating func receive(
    _ bytes: [UInt8], on key: StreamKey, at now: Instant, into actions: inout [Action]
  ) {
    guard let rule = definition.characteristics[key.characteristic].framing else {
      return take(frame: bytes, on: key.characteristic, into: &actions)
    }
    let before = framers[key]?.deadline
    let outputs = framers[key, default: Framer(rule)].append(bytes, at: now)
    take(outputs, on: key, timerBefore: before, into: &actions)
  }

  private mutating func expireFrame(_ key: StreamKey, at now: Instant, into actions: inout [Action]) {
    guard let outputs = framers[key]?.expire(at: now) else { return }
    take(outputs, on: key, timerBefore: nil, into: &actions)
  }

  private mutating func take(
    _ outputs: [FramerOutput], on key: StreamKey, timerBefore: Instant?, into actions: inout [Action]
  ) {
    for output in outputs {
      switch output {
      case .frame(let frame): take(frame: frame, on: key.characteristic, into: &actions)
      case .discarded(let bytes, let reason):
        actions.append(.remark(.discarded(characteristic: key.characteristic, bytes, reason)))
      }
    }
    let deadline = framers[key]?.deadline
    if let deadline {
      if deadline != timerBefore { actions.append(.startTimer(.frameGap(key), at: deadline)) }
    } else if timerBefore != nil {
      actions.append(.stopTimer(.frameGap(key)))
    }
  }

  private mutating func forgetStreams(of central: Central, into actions: inout [Action]) {
    let keys = framers.keys.filter { $0.central == central }
    for key in keys.sorted(by: { $0.characteristic < $1.characteristic }) {
      let before = framers[key]?.deadline
      let outputs = framers[key]?.finish() ?? []
      take(outputs, on: key, timerBefore: before, into: &actions)
      framers[key] = nil
    }
  }
}

// MARK: Rules

extension Engine {
  /// The first rule in the file that waits for a message that the frame is, and whose condition holds, fires.
  private mutating func take(frame: [UInt8], on characteristic: Int, into actions: inout [Action]) {
    guard let index = receiving[characteristic] else { return }
    for candidate in index.candidates(for: frame) {
      guard case .received(let message, _) = definition.rules[candidate].trigger,
        let fields = definition.messages[message].parse(frame)
      else { continue }
      context.fields = fields
      defer { context.fields = [] }
      if fire(candidate, into: &actions) { return }
    }
    actions.append(.remark(.unexpected(characteristic: characteristic, frame: frame)))
  }

  private mutating func fire(_ trigger: Rule.Trigger, into actions: inout [Action]) {
    for rule in rulesByTrigger[trigger] ?? [] where fire(rule, into: &actions) { return }
  }

  /// Performs a rule if its condition holds; tells whether it did.
  private mutating func fire(_ index: Int, into actions: inout [Action]) -> Bool {
    let rule = definition.rules[index]
    do {
      if let condition = rule.condition, try !condition.isTrue(in: context) { return false }
      for action in rule.actions { try perform(action, into: &actions) }
    } catch {
      actions.append(.remark(.ruleFailed(line: rule.line, reason: "\(error)")))
    }
    return true
  }

  private mutating func perform(_ action: Rule.Action, into actions: inout [Action]) throws {
    switch action {
    case .log(let text):
      actions.append(.remark(.logged(String(decoding: try text.render(in: context), as: UTF8.self))))
    case .send(let message, let fields, let destination):
      let template = definition.messages[message]
      let bytes = try template.build(fields.map { try $0.evaluate(in: context) })
      switch destination {
      case .characteristic(let index): notify(index, bytes, into: &actions)
      case .wire: actions.append(.writeToWire(bytes))
      }
    }
  }
}
