import Bluetooth

// What takes effect at an instant that both sides know (Vol 6 Part B 5.5)
extension Controller {
  /// LE Connection Update Complete (Vol 4 Part E 7.7.65.3), if something changes or this host has asked.
  mutating func use(_ parameters: ConnectionParameters, on handle: UInt16) {
    guard let end = state.links[handle] else { return }
    state.links[handle]?.parameters = parameters
    var isAsked = false
    switch end.procedure {
    case .update, .parameters: isAsked = true
    default: break
    }
    if isAsked || parameters != end.parameters {
      emitLowEnergy(0x03, [0x00] + handle.littleEndianBytes + parameters.bytes)
    }
    if isAsked { finish(handle) }
  }

  /// LE PHY Update Complete (7.7.65.12), likewise.
  ///
  /// - Parameter phys: from this side's view.
  mutating func use(_ phys: Directions<UInt8>, on handle: UInt16) {
    guard let end = state.links[handle] else { return }
    state.links[handle]?.phys = phys
    var isAsked = false
    if case .phys = end.procedure { isAsked = true }
    if isAsked || phys != end.phys {
      emitLowEnergy(0x0C, [0x00] + handle.littleEndianBytes + [phys.sent, phys.received])
    }
    if isAsked { finish(handle) }
  }
}
