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
    let ended = waiting.filter { _, activation in
      activation.owner == .central(central) || (activation.owner == .central(nil) && centrals.isEmpty)
    }
    for number in ended.keys.sorted() {
      for endpoint in waiting[number]!.releases { consequences.add(.released(endpoint)) }
      waiting[number] = nil
      actions.append(.stopTimer(.wait(number)))
    }
  }
}
