import BlueZLimits
import EventLoop
import Peripheral

// MARK: Changes while the device is on the air

extension BlueZTransport {
  /// Watches an adapter instead of the one before.
  func watch(_ adapter: Adapter) throws(TransportError) {
    guard client?.watched != adapter.path else { return }
    try client?.watch(adapter.path) { [weak self] in self?.take($0) }
    agency?.adapter = adapter.path
  }

  private func take(_ change: BlueZClient.Change) {
    switch change {
    case .connection(_, isConnected: true) where !centrals.isTelling: break  // watchCentrals() will find it
    case .connection(let central, let isConnected):
      if isConnected { arrived(central) } else { left(central) }
    case .pairing(let central, let isPaired): pairingChanged(central, isPaired: isPaired)
    case .bond(let central, let isBonded): bondChanged(central, isBonded: isBonded)
    case .owner(let owner):
      if owner != registrar?.state.bluetoothd { centrals.forgetStrangers() }
      registrar?.send(.ownerChanged(owner))
      if owner == nil { warnOfCrash() }
    case .adapters: registrar?.send(.adaptersChanged)
    }
  }

  func take(_ notice: RegistrationNotice) {
    switch notice {
    case .wentOnAir: endGoingOnAir(nil)
    case .cannotGoOnAir(let error): endGoingOnAir(error)
    case .fellOffAir: fellOff(notice)
    case .cameBackOnAir: cameBack(notice)
    case .warning(let message): host?.warn(message)
    case .left:
      leavingAir?.resume()
      leavingAir = nil
    }
  }

  private func endGoingOnAir(_ error: TransportError?) {
    goingOnAir?.resume(returning: error)
    goingOnAir = nil
  }

  private func fellOff(_ notice: RegistrationNotice) {
    application?.reset()
    for central in centrals.all { left(central) }
    tellHost(notice)
  }

  /// bluetoothd does not say why it has stopped.
  private func warnOfCrash() {
    guard let version = BlueZVersion.installed, version == .crashesOnScansForServices else { return }
    host?.warn(
      "\(version) crashes when a program on this machine scans for the UUID of a service; if one did, let it scan for all "
        + "devices, or use another version of BlueZ (https://github.com/bluez/bluez/issues/2282)")
  }

  private func cameBack(_ notice: RegistrationNotice) {
    // The adapter may return under another name.
    if let adapter = registrar?.state.adapter { try? watch(adapter) }
    tellHost(notice)
  }

  private func tellHost(_ notice: RegistrationNotice) {
    guard centrals.isTelling else { return earlyNotices.append(notice) }
    switch notice {
    case .fellOffAir(let reason): host?.fellOffAir(reason)
    case .cameBackOnAir: host?.cameBackOnAir()
    default: break
    }
  }

  func tellEarlyNotices() {
    let notices = earlyNotices
    earlyNotices = []
    for notice in notices { tellHost(notice) }
  }
}
