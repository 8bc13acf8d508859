import Bluetooth

// What the central decides: the parameters of a link and its PHYs
extension Controller {
  /// Asks the host (Vol 6 Part B 5.1.7); one that does not want to be asked takes nothing.
  mutating func receiveParameterRequest(
    _ wanted: PreferredConnectionParameters, on handle: UInt16
  ) {
    guard traits.features.contains(.connectionParametersRequest), wants(0x06) else {
      return send(.reject(.unsupportedRemoteFeature), on: handle)
    }
    if let reason = collision(on: handle, isPHY: false) { return send(.reject(reason), on: handle) }
    state.links[handle]?.awaitsParameters = true
    emitLowEnergy(0x06, handle.littleEndianBytes + wanted.characteristicValue)
  }

  /// The central decides which PHYs both use: of those that are possible, the fastest.
  mutating func receivePHYs(_ phys: Directions<UInt8>, isRequest: Bool, on handle: UInt16) {
    let own = traits.features.phys
    guard let end = state.links[handle] else { return }
    guard own != 1 else { return send(.reject(.unsupportedRemoteFeature), on: handle) }
    guard end.role == .central else {
      let (sent, received) = (state.defaultPHYs.sent & own, state.defaultPHYs.received & own)
      return send(.phyResponse(Directions(sent: sent, received: received)), on: handle)
    }
    if isRequest, let reason = collision(on: handle, isPHY: true) {
      return send(.reject(reason), on: handle)
    }
    var mine = state.defaultPHYs
    if case .phys(let asked) = end.procedure, !isRequest { mine = asked }
    let sent = Self.best(mine.sent & phys.received & own) ?? end.phys.sent
    let received = Self.best(mine.received & phys.sent & own) ?? end.phys.received
    state.links[handle]?.deadline = nil
    send(.phyUpdate(Directions(sent: sent, received: received)), on: handle)
  }

  /// The number of the PHY of bits: 2, 1, 3.
  private static func best(_ bits: UInt8) -> UInt8? {
    ([2, 1, 3] as [UInt8]).first { bits >> ($0 - 1) & 1 == 1 }
  }

  /// The central refuses a request while a change of its own is under way (Vol 6 Part B 5.3): as LL Procedure Collision if it
  /// is of the same kind, else as Different Transaction Collision.
  private func collision(on handle: UInt16, isPHY: Bool) -> HCIError? {
    switch state.links[handle]?.procedure {
    case .phys: HCIError(rawValue: isPHY ? 0x23 : 0x2A)
    case .update: HCIError(rawValue: isPHY ? 0x2A : 0x23)
    default: nil
    }
  }
}
