import Bluetooth

extension RegistrationState {
  /// The ticket of the call or pause that the state waits for; nil: none.
  var ticket: Ticket? {
    switch self {
    case .closed, .opened: nil
    case .registering(_, let it): it.ticket
    case .onAir(_, let it): it.activity.ticket
    case .switchedOff(_, let it): it.look
    case .takingBack(_, let it): it.ticket
    case .waiting(_, .failure(_, let ticket)), .waiting(_, .looking(_, let ticket, _)): ticket
    case .waiting: nil
    case .leaving(_, let it): it.ticket
    }
  }

  /// The bluetoothd that the device uses; nil: none.
  var bluetoothd: BusOwner? {
    switch self {
    case .closed, .waiting(_, .noBluetoothd): nil
    case .opened(let bluetoothd, _), .waiting(_, .noAdapter(let bluetoothd)),
      .waiting(_, .failure(let bluetoothd, _)), .waiting(_, .looking(let bluetoothd, _, _)):
      bluetoothd
    case .registering, .onAir, .switchedOff, .takingBack, .leaving: session?.bluetoothd
    }
  }

  /// The last known state of the adapter; nil: no adapter is known.
  var adapter: Adapter? {
    if case .opened(_, let adapter) = self { adapter } else { registrant?.adapter }
  }

  /// The advertisement that BlueZ sends for the device; nil: none.
  var advertisement: Advertisement? {
    switch self {
    case .onAir(_, let it): it.activity.advertisement
    case .switchedOff(_, let it): it.advertisement
    default: nil
    }
  }
}

extension RegistrationState {
  /// Setting it has no effect on a state that has none.
  var session: Session? {
    get {
      switch self {
      case .closed, .opened, .waiting: nil
      case .registering(let session, _), .onAir(let session, _), .switchedOff(let session, _),
        .takingBack(let session, _), .leaving(let session, _):
        session
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .closed, .opened, .waiting: break
      case .registering(_, let it): self = .registering(newValue, it)
      case .onAir(_, let it): self = .onAir(newValue, it)
      case .switchedOff(_, let it): self = .switchedOff(newValue, it)
      case .takingBack(_, let it): self = .takingBack(newValue, it)
      case .leaving(_, let it): self = .leaving(newValue, it)
      }
    }
  }

  /// Setting it has no effect on a state that has none.
  var registrant: Registrant? {
    get { if case .waiting(let registrant, _) = self { registrant } else { session?.registrant } }
    set {
      guard let newValue else { return }
      if case .waiting(_, let it) = self { self = .waiting(newValue, it) }
      session?.registrant = newValue
    }
  }
}

extension OnAir.Activity {
  var ticket: Ticket? {
    switch self {
    case .resting: nil
    case .looking(let ticket, _), .settingAlias(_, let ticket, _), .unregisteringAdvertisement(let ticket),
      .registeringAdvertisement(_, let ticket), .pausing(_, let ticket), .retrying(let ticket, _):
      ticket
    }
  }

  /// The advertisement that bluetoothd sends.
  var advertisement: Advertisement? {
    switch self {
    case .resting(let current), .looking(_, let current), .settingAlias(_, _, let current),
      .retrying(_, let current):
      current
    case .unregisteringAdvertisement, .registeringAdvertisement, .pausing: nil
    }
  }
}
