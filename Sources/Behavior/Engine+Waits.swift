import Bluetooth
import DeviceModel
import Framing

/// Rules that continue after a wait.
extension Engine {
  mutating func suspend(_ activation: Activation, until due: Instant) throws {
    guard waiting.count < Self.mostWaiting else { throw RuleFailure.tooManyWaiting }
    waitCount += 1
    waiting[waitCount] = activation
    actions.append(.startTimer(.wait(waitCount), at: due))
  }

  mutating func resume(_ number: Int) {
    guard let activation = waiting.removeValue(forKey: number) else { return }
    context.event = activation.event
    centralVariables.select(activation.event.central, in: &context.variables)
    run(activation)
  }

  /// Ends the rules that a central has triggered. Rules without a known central end when the last central has
  /// disconnected. Places that these rules would have released are released now.
  mutating func endRules(of central: Central) {
    endWaits(
      waiting.filter { _, activation in
        activation.owner == .central(central) || (activation.owner == .central(nil) && centrals.isEmpty)
      })
  }

  /// Ends the rules that last only in other states than the one that the device enters. One that is entered again has
  /// ended, too.
  mutating func endRules(in next: Int) {
    if !waiting.isEmpty { endWaits(waiting.filter { isOver($0.value.rule, in: next) }) }
  }

  /// Whether a rule ends where the device enters a state.
  func isOver(_ rule: Int, in next: Int) -> Bool {
    definition.rules[rule].lasting.map { next == state || !$0.contains(next) } ?? false
  }

  private mutating func endWaits(_ ended: [Int: Activation]) {
    for number in ended.keys.sorted() {
      release(waiting[number]!.releases)
      waiting[number] = nil
      actions.append(.stopTimer(.wait(number)))
    }
  }

  mutating func release(_ endpoints: [Endpoint]) {
    for endpoint in endpoints { consequences.add(.released(endpoint)) }
  }
}
