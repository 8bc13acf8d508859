import Bluetooth
import DeviceModel
import Framing

/// The rules that wait.
struct WaitingRules: Sendable {
  /// The most rules that can wait at once.
  static let most = 256

  /// By the number of the wait.
  private(set) var rules: [Int: Activation] = [:]
  /// How many waits there have been.
  private var count = 0

  mutating func add(_ activation: Activation, until due: Instant, in turn: inout Turn) throws(RuleFailure) {
    guard rules.count < Self.most else { throw .tooManyWaiting }
    count += 1
    rules[count] = activation
    turn.actions.append(.startTimer(.wait(count), at: due))
  }

  /// The rule that continues after a wait; nil: it has ended.
  mutating func remove(_ number: Int) -> Activation? { rules.removeValue(forKey: number) }

  /// Ends the rules that a central has triggered. Rules without a known central end when the last central has
  /// disconnected.
  mutating func end(of central: Central, isLast: Bool, in turn: inout Turn) {
    end(in: &turn) { $0.owner == .central(central) || (isLast && $0.owner == .central(nil)) }
  }

  /// Ends the rules that last only in other states than the one that the device enters.
  mutating func end(of definitions: [Rule], leaving state: Int, for next: Int, in turn: inout Turn) {
    end(in: &turn) { definitions[$0.rule].isOver(leaving: state, for: next) }
  }

  mutating func endAll(in turn: inout Turn) { end(in: &turn) { _ in true } }

  /// Ends rules. Places that these would have released are released now.
  private mutating func end(in turn: inout Turn, where isOver: (Activation) -> Bool) {
    for (number, activation) in rules.sorted(by: { $0.key < $1.key }) where isOver(activation) {
      rules[number] = nil
      turn.consequences.release(activation.releases)
      if let request = activation.request { turn.consequences.add(.unanswered(request, activation.owner)) }
      turn.actions.append(.stopTimer(.wait(number)))
    }
  }
}

extension Rule {
  /// Whether it ends where the device enters a state. A state that the device enters again also ends it.
  func isOver(leaving state: Int, for next: Int) -> Bool {
    lasting.map { next == state || !$0.contains(next) } ?? false
  }
}
