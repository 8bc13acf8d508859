import Bluetooth
import DeviceModel
import Framing

/// The rules that wait.
struct WaitingRules: Sendable {
  /// The most rules that can wait at once.
  static let most = 256

  /// By the number of the wait.
  var rules: [Int: Activation] = [:]
  /// How many waits there have been.
  var count = 0
}

/// Rules that continue after a wait.
extension Engine {
  mutating func suspend(_ activation: Activation, until due: Instant) throws {
    guard waits.rules.count < WaitingRules.most else { throw RuleFailure.tooManyWaiting }
    waits.count += 1
    waits.rules[waits.count] = activation
    turn.actions.append(.startTimer(.wait(waits.count), at: due))
  }

  mutating func resume(_ number: Int) {
    guard let activation = waits.rules.removeValue(forKey: number) else { return }
    context.event = activation.event
    centralVariables.select(activation.event.central, in: &context.variables)
    run(activation)
  }

  /// Ends the rules that a central has triggered. Rules without a known central end when the last central has
  /// disconnected. Places that these rules would have released are released now.
  mutating func endRules(of central: Central) {
    endWaits(
      waits.rules.filter { _, activation in
        activation.owner == .central(central) || (activation.owner == .central(nil) && links.centrals.isEmpty)
      })
  }

  /// Ends the rules that last only in other states than the one that the device enters. A state
  /// that the device enters again also ends them.
  mutating func endRules(in next: Int) {
    if !waits.rules.isEmpty { endWaits(waits.rules.filter { isOver($0.value.rule, in: next) }) }
  }

  /// Whether a rule ends where the device enters a state.
  func isOver(_ rule: Int, in next: Int) -> Bool {
    definition.rules[rule].lasting.map { next == state || !$0.contains(next) } ?? false
  }

  private mutating func endWaits(_ ended: [Int: Activation]) {
    for number in ended.keys.sorted() {
      release(waits.rules[number]!.releases)
      waits.rules[number] = nil
      turn.actions.append(.stopTimer(.wait(number)))
    }
  }

  mutating func release(_ endpoints: [Endpoint]) {
    for endpoint in endpoints { turn.consequences.add(.released(endpoint)) }
  }
}
