import DeviceModel
import Framing

/// Messages that no frame of their stream can be.
extension RuleChecker {
  func checkFrames() {
    let receivers = device.rules.indices.flatMap { FrameReceiver.all(of: $0, in: device) }
    let delivered = Set(receivers.filter { $0.mismatch == nil }.map(\.message))
    for receiver in receivers {
      guard let mismatch = receiver.mismatch, let place = place(of: receiver, delivered) else { continue }
      log.error(mismatch, at: place)
    }
    checkSentFrames()
  }

  /// The message, or the rule that waits for it if the place is the rule's.
  private func place(of receiver: FrameReceiver, _ delivered: Set<Int>) -> SourceRange? {
    let uses = rules[receiver.rule].rule.event?.receive ?? []
    let use = receiver.use < uses.count ? uses[receiver.use] : nil
    let name = device.messages[receiver.message].name
    if name.isEmpty || delivered.contains(receiver.message) { return use?.range }
    return template(of: name) ?? use?.range
  }

  private func template(of name: String) -> SourceRange? {
    root.messages.first { $0.key.text == name }?.value.template?.0.range
  }
}

/// A rule that waits for a message at framed places.
private struct FrameReceiver {
  let rule: Int
  let message: Int
  /// The index of the message among those that the rule waits for, from 0.
  let use: Int
  /// Why no frame is the message, at the first place; nil if one can be at some place.
  let mismatch: Mistake?

  /// One for each message that a rule waits for.
  static func all(of rule: Int, in device: PeripheralDefinition) -> [FrameReceiver] {
    var places: [(message: Int, endpoints: [Rule.Endpoint])] = []
    for case .received(let message?, let endpoint) in device.rules[rule].triggers {
      if places.last?.message != message { places.append((message, [])) }
      places[places.count - 1].endpoints.append(endpoint)
    }
    return places.enumerated().map { use, place in
      FrameReceiver(
        rule: rule, message: place.message, use: use,
        mismatch: device.mistake(of: device.messages[place.message], at: place.endpoints))
    }
  }
}

extension PeripheralDefinition {
  /// Why no frame of the first place is a message; nil if one of any place can be.
  fileprivate func mistake(of message: MessageTemplate, at endpoints: [Rule.Endpoint]) -> Mistake? {
    var first: Mistake?
    for endpoint in endpoints {
      guard let mismatch = mismatch(of: message, at: endpoint) else { return nil }
      first =
        first
        ?? .notFrame(
          mismatch, of: name(of: endpoint), isText: message.form != .bytes,
          mayBeOfSent: mismatch.isOfSize && isBothWays(endpoint))
    }
    return first
  }
}

extension PeripheralDefinition {
  /// Whether a place receives and sends with one framing.
  fileprivate func isBothWays(_ endpoint: Rule.Endpoint) -> Bool {
    guard case .characteristic(let index) = endpoint else { return false }
    return characteristics[index].canNotify && characteristics[index].outFraming == nil
  }
}

extension FrameMismatch {
  fileprivate var isOfSize: Bool {
    switch self {
    case .size, .tooLong, .tooShort: true
    default: false
    }
  }
}

// MARK: Sent messages

extension RuleChecker {
  /// Messages that a central cannot extract from the device's bytes. A frame may be sent in pieces, so only a message
  /// that cannot be a piece is a mistake.
  private func checkSentFrames() {
    for (index, characteristic) in device.characteristics.enumerated() {
      guard characteristic.sentFraming != nil else { continue }
      let messages = device.rules.sent(to: index, in: device)
      let mismatches = messages.map { device.sentMismatch(of: device.messages[$0], from: index) }
      for (message, mismatch) in zip(messages, mismatches) {
        guard let mismatch, mismatch.isCertain(ofAll: mismatches),
          let place = template(of: device.messages[message].name)
        else { continue }
        let isText = device.messages[message].form != .bytes
        log.error(.notFrame(mismatch, of: characteristic.id, isText: isText), at: place)
      }
    }
  }
}

extension FrameMismatch {
  /// Whether it is a mistake of a message that a device sends, which may be a piece of a frame or have several.
  fileprivate func isCertain(ofAll mismatches: [FrameMismatch?]) -> Bool {
    switch self {
    case .start: !mismatches.contains { $0.map { !$0.isStart } ?? true }
    case .length(_, _, let meaning, let sizes, _): meaning <= 0 || meaning < sizes.lowerBound
    case .addition, .lengthOrder, .otherCheck, .coverage, .checkValue, .misplacedCheck: true
    case .missingCheck, .tail: false
    case .delimiter, .size, .tooLong, .tooShort, .unsayableLength, .earlyTail: false
    }
  }

  private var isStart: Bool { if case .start = self { true } else { false } }
}

extension [Rule] {
  /// The messages that rules send from a characteristic, by index.
  fileprivate func sent(to characteristic: Int, in device: PeripheralDefinition) -> [Int] {
    var messages: Set<Int> = []
    for rule in self {
      let origins = rule.triggers.compactMap(\.origin).compactMap { device.answeringEndpoint($0) }
      for case .send(.message(let message, _), let destination) in rule.steps.flatMap(\.actions) {
        let endpoints = if case .endpoint(let endpoint) = destination { [endpoint] } else { origins }
        if endpoints.contains(.characteristic(characteristic)) { messages.insert(message) }
      }
    }
    return messages.sorted()
  }
}

extension Rule.Trigger {
  /// The place for answers to it, unless a characteristic names another.
  fileprivate var origin: Rule.Endpoint? {
    switch self {
    case .received(_, let endpoint): endpoint
    case .subscribed(let index), .configured(let index): .characteristic(index)
    case .written(let attribute), .read(let attribute): .characteristic(attribute.characteristic)
    default: nil
    }
  }
}

extension Rule.Step {
  /// Its action, and those inside it.
  fileprivate var actions: [Rule.Action] { withInner.map(\.action) }
}
