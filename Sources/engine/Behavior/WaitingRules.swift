import Bluetooth
import DeviceModel
import Framing

/// The rules that wait.
struct WaitingRules: Sendable {
  /// The most rules that can wait at once.
  static let most = 256

  /// A rule with the values of its event.
  typealias Element = (activation: Activation, event: EventValues)

  /// By the number of the wait.
  private(set) var rules: [Int: Element] = [:]
  /// How many waits there have been.
  private var count = 0

  mutating func add(
    _ activation: Activation, _ event: EventValues, until due: Instant, in turn: inout Turn
  ) throws(RuleFailure) {
    guard rules.count < Self.most else { throw .tooManyWaiting }
    count += 1
    rules[count] = (activation, event)
    turn.actions.append(.startTimer(.wait(count), at: due))
  }

  /// Whether a rule waits that sends a message of a layer.
  func areWaiting(at layer: Int) -> Bool { rules.values.contains { $0.activation.layer == layer } }

  /// The rule that continues after a wait; nil: it has ended.
  mutating func remove(_ number: Int) -> Element? { rules.removeValue(forKey: number) }

  /// Ends rules. Returns them, in the order in which they began to wait.
  mutating func end(in turn: inout Turn, where isOver: (Activation) -> Bool) -> [Activation] {
    let ended = rules.filter { isOver($0.value.activation) }.sorted { $0.key < $1.key }
    for (number, _) in ended {
      rules[number] = nil
      turn.actions.append(.stopTimer(.wait(number)))
    }
    return ended.map(\.value.activation)
  }
}

extension Engine {
  /// Ends the rules that a central has triggered. Rules without a known central end when the last central has
  /// disconnected.
  mutating func endWaits(of central: Central, isLast: Bool) {
    endWaits { $0.owner == .central(central) || (isLast && $0.owner == .central(nil)) }
  }

  /// Ends the rules that wait. Places that these would have released are released now.
  mutating func endWaits(where isOver: (Activation) -> Bool = { _ in true }) {
    for activation in waits.end(in: &turn, where: isOver) {
      turn.consequences.release(activation.releases(in: program))
      if let layer = activation.layer { layerMessages.note(false, at: layer, in: &turn) }
      if let request = activation.request { turn.consequences.add(.unanswered(request, activation.owner)) }
    }
  }
}

extension Rule {
  /// Whether it ends where the device enters a state. A state that the device enters again also ends it.
  func isOver(leaving state: Int, for next: Int) -> Bool {
    lasting.map { next == state || !$0.contains(next) } ?? false
  }
}
