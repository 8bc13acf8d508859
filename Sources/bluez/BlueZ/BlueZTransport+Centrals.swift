import Behavior
import Bluetooth
import EventLoop
import Peripheral

// MARK: Centrals

extension BlueZTransport {
  package func watchCentrals() async {
    guard let client else { return }
    centrals.begin()
    tellEarlyNotices()
    let adapters = (try? await client.adapters()) ?? []
    guard self.client != nil, let address = registrar?.state.adapter?.address else { return }
    let connected = adapters.first { $0.address == address }?.connectedCentrals ?? []
    for central in connected.inAddressOrder { arrived(central) }
  }

  /// bluetoothd gives a reason of its own: Remote User Terminated Connection.
  package func disconnect(_ central: Central?, _ reason: HCIError) {
    guard let client, let adapter = registrar?.state.adapter else { return }
    for central in central.map({ [$0] }) ?? centrals.all {
      links[central]?.isEndedByDevice = true
      EventLoop.start { [weak self] in
        if await client.disconnect(central, from: adapter) { return }
        self?.host?.warn("BlueZ refused to disconnect \(central)")
      }
    }
  }

  func arrived(_ central: Central) {
    finishDeparture()
    guard centrals.arrived(central) else { return }
    updateUse()
    host?.receive(.connected(central))
    began(central)
    registrar?.send(.centralArrived)  // after the host, which may want no further central
  }

  /// bluetoothd may report that a central has disconnected before it ends the central's subscriptions. As in a
  /// device's own stack, the host learns that the last central has left only after its subscriptions have ended.
  func left(_ central: Central) {
    guard centrals.left(central) else { return }
    ended(central)
    application?.centrals.forget(central)
    forgetPairing(with: central)
    guard centrals.isEmpty, application?.subscriptions.isEmpty == false else { return tellLeft(central) }
    let limit = scheduler.schedule(at: scheduler.now.advanced(by: .seconds(2))) { [weak self] in
      self?.finishDeparture()
    }
    departure = (central, limit)
  }

  func finishDeparture() {
    guard let (central, _) = departure else { return }
    departure = nil
    tellLeft(central)
  }

  private func tellLeft(_ central: Central) {
    host?.receive(.disconnected(central))
    updateUse()
  }

  private func updateUse() {
    pulse.isBeating = !centrals.isEmpty
    registrar?.send(.useChanged(isInUse: !centrals.isEmpty))
  }
}
