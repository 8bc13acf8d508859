import Peripheral

// MARK: Waiting for bluetoothd or an adapter

extension RegistrationStateMachine {
  /// - Parameter owner: the present bluetoothd; nil: none.
  mutating func awaitBluetoothd(_ owner: BusOwner?, for registrant: Registrant) {
    if let owner {
      look(at: owner, for: registrant)
    } else {
      enter(.waiting(registrant, .noBluetoothd))
    }
  }

  mutating func awaitAdapter(_ session: Session) {
    guard !session.mustLook else { return look(at: session.bluetoothd, for: session.registrant) }
    enter(.waiting(session.registrant, .noAdapter(bluetoothd: session.bluetoothd)))
  }

  /// Asks for the adapter again after a second, or at once if something has changed.
  mutating func tryLater(_ session: Session) {
    guard !session.mustLook else { return look(at: session.bluetoothd, for: session.registrant) }
    enter(.waiting(session.registrant, .failure(bluetoothd: session.bluetoothd, pause(.seconds(1)))))
  }

  private mutating func look(at bluetoothd: BusOwner, for registrant: Registrant) {
    let ticket = call(.look, in: Session(bluetoothd: bluetoothd, registrant: registrant))
    enter(.waiting(registrant, .looking(bluetoothd: bluetoothd, ticket, again: false)))
  }

  mutating func look(_ registrant: Registrant, _ waiting: Waiting) {
    switch waiting {
    case .noBluetoothd: break
    case .noAdapter(let bluetoothd), .failure(let bluetoothd, _): look(at: bluetoothd, for: registrant)
    case .looking(let bluetoothd, let ticket, _):
      enter(.waiting(registrant, .looking(bluetoothd: bluetoothd, ticket, again: true)))
    }
  }

  mutating func ended(_ registrant: Registrant, _ waiting: Waiting, _ outcome: RegistrationOutcome) {
    switch waiting {
    case .noBluetoothd, .noAdapter: break
    case .failure(let bluetoothd, _): look(at: bluetoothd, for: registrant)
    case .looking(let bluetoothd, _, let again):
      looked(Session(bluetoothd: bluetoothd, registrant: registrant, mustLook: again), outcome)
    }
  }

  private mutating func looked(_ session: Session, _ outcome: RegistrationOutcome) {
    var session = session
    switch outcome {
    case .saw(nil): awaitAdapter(session)
    case .saw(let adapter?):
      session.adapter = adapter
      register(session, .offAir)
    case .done, .failed: tryLater(session)
    }
  }
}
