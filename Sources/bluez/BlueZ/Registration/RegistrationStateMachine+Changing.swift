import Bluetooth
import DeviceModel
import Peripheral

/// Changes what a device on the air advertises and serves. `current` is the advertisement that BlueZ sends for it.
extension RegistrationStateMachine {
  mutating func ended(_ session: Session, _ onAir: OnAir, _ outcome: RegistrationOutcome) {
    switch onAir.activity {
    case .resting: break
    case .looking(_, let current): looked(session, onAir, current, outcome)
    case .settingAlias(let name, _, let current): named(session, onAir, name, current, outcome)
    case .unregisteringAdvertisement: compare(session, onAir, nil)
    case .registeringAdvertisement(let attempt, _): registered(session, onAir, attempt, outcome)
    case .pausing(let attempt, _): advertise(session, onAir, attempt)
    case .retrying(_, let current): look(session, onAir, current)
    }
  }

  /// Takes the next step from the present state to the wanted one. No call is pending.
  mutating func compare(_ session: Session, _ onAir: OnAir, _ current: Advertisement?) {
    let request = session.request
    if onAir.table != request.table {
      changeAttributes(session, onAir, current)
    } else if current == request.advertisement && !(session.mustRenew && current != nil) {
      var onAir = onAir
      onAir.failures = 0
      rest(session, onAir, current)
    } else if session.adapter.alias != request.deviceName {
      let ticket = call(.setAlias(request.deviceName), in: session)
      enter(session, onAir, .settingAlias(request.deviceName, ticket, current))
    } else if current != nil {
      unregisterAdvertisement(session, onAir)
    } else if let advertisement = request.advertisement {
      advertise(session, onAir, AdvertisingTry(advertisement: advertisement))
    }
  }

  /// Unregisters the advertisement, so that no new central connects, and the attributes once the last central has
  /// disconnected, unless those that are connected get the others.
  private mutating func changeAttributes(_ session: Session, _ onAir: OnAir, _ current: Advertisement?) {
    if current != nil {
      unregisterAdvertisement(session, onAir)
    } else if session.registrant.isInUse, !session.registrant.servesConnected {
      rest(session, onAir, nil)
    } else {
      takeBack(.unregisteringApplication, session, .onAir, because: nil)
    }
  }

  private mutating func unregisterAdvertisement(_ session: Session, _ onAir: OnAir) {
    var session = session
    session.mustRenew = false
    enter(session, onAir, .unregisteringAdvertisement(call(.unregisterAdvertisement, in: session)))
  }

  private mutating func advertise(_ session: Session, _ onAir: OnAir, _ attempt: AdvertisingTry) {
    let ticket = call(.registerAdvertisement(attempt.advertisement), in: session)
    enter(session, onAir, .registeringAdvertisement(attempt, ticket))
  }

  mutating func enter(_ session: Session, _ onAir: OnAir, _ activity: OnAir.Activity) {
    var onAir = onAir
    onAir.activity = activity
    enter(.onAir(session, onAir))
  }

  mutating func rest(_ session: Session, _ onAir: OnAir, _ current: Advertisement?) {
    if session.mustLook {
      look(session, onAir, current)
    } else if session.mustRenew && current != nil {
      unregisterAdvertisement(session, onAir)
    } else {
      enter(session, onAir, .resting(current))
    }
  }
}

// MARK: The outcome of a change

extension RegistrationStateMachine {
  private mutating func named(
    _ session: Session, _ onAir: OnAir, _ name: String, _ current: Advertisement?,
    _ outcome: RegistrationOutcome
  ) {
    if case .failed(let error, _) = outcome { return refused(session, onAir, current, error) }
    var session = session
    session.adapter.alias = name
    compare(session, onAir, current)
  }

  private mutating func registered(
    _ session: Session, _ onAir: OnAir, _ attempt: AdvertisingTry, _ outcome: RegistrationOutcome
  ) {
    var onAir = onAir
    switch outcome {
    case .failed(_, mayPass: true) where attempt.next != nil:
      guard let (duration, next) = attempt.next else { return }
      enter(session, onAir, .pausing(next, pause(duration)))
    case .failed(let error, _): refused(session, onAir, nil, error)
    case .done, .saw:
      onAir.failures = 0
      rest(session, onAir, attempt.advertisement)
    }
  }

  /// The first failure may be the end of bluetoothd or of the adapter. A notice about that follows, so only the
  /// second failure is a warning.
  private mutating func refused(
    _ session: Session, _ onAir: OnAir, _ current: Advertisement?, _ error: TransportError
  ) {
    var (session, onAir) = (session, onAir)
    let isInvalid = error.kind == .invalid
    if isInvalid { session.registrant.request.advertisement = current } else { onAir.failures += 1 }
    if isInvalid || onAir.failures == 2 { tell(.warning("not advertising: \(error.message)")) }
    if isInvalid { rest(session, onAir, current) } else { retry(session, onAir, current) }
  }

  /// Asks for the adapter again after a second, or at once if something has changed.
  mutating func retry(_ session: Session, _ onAir: OnAir, _ current: Advertisement?) {
    guard !session.mustLook else { return look(session, onAir, current) }
    enter(session, onAir, .retrying(pause(.seconds(1)), current))
  }
}
