import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// What the engine knows of the links, and the others of the engine's state.
extension Pipeline {
  /// The values that expressions about the device have now, between two events.
  var context: EvaluationContext {
    for central in engine.connectedCentrals {
      engine.note(mtu: transport.mtu(of: central), isEncrypted: transport.isEncrypted(central), of: central)
    }
    return engine.context(at: scheduler.now)
  }

  /// Gives the engine the values of the links that its expressions use.
  func noteLinks(before event: Event) {
    var centrals = engine.connectedCentrals
    if case .connected(let central, _) = event { centrals.append(central) }
    for central in centrals {
      let isEncrypted = definition.linkValues.contains(.encrypted) ? transport.isEncrypted(central) : nil
      engine.note(mtu: transport.mtu(of: central), isEncrypted: isEncrypted, of: central)
    }
  }

  /// Tells the transport the state of the device.
  func tellState() {
    toldState = engine.state
    if !definition.states.isEmpty { transport.noteState(definition.states[toldState]) }
  }

  func keep(_ settings: [Value]) {
    if let problem = memory?.keep(settings) { warn(problem) }
  }
}
