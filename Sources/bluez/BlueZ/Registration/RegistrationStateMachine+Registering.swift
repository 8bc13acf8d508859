import Bluetooth
import DeviceModel
import Peripheral

// MARK: Registering

extension RegistrationStateMachine {
  /// Prepares the adapter and registers the device.
  mutating func register(_ session: Session, _ standing: Standing) {
    if !session.adapter.isPowered {
      enter(session, standing, .poweringOn, calling: .powerOn)
    } else if session.adapter.alias != session.request.deviceName {
      let name = session.request.deviceName
      enter(session, standing, .settingAlias(name), calling: .setAlias(name))
    } else {
      register(session.request.table, session, standing)
    }
  }

  /// bluetoothd refuses an application without services.
  private mutating func register(_ table: AttributeTable, _ session: Session, _ standing: Standing) {
    guard table.services.isEmpty else {
      return enter(session, standing, .registeringApplication(table), calling: .registerApplication(table))
    }
    advertise(table, session, standing)
  }

  mutating func ended(_ session: Session, _ registering: Registering, _ outcome: RegistrationOutcome) {
    let standing = registering.standing
    switch (registering.step, outcome) {
    case (.pausing, _), (.unregisteringAdvertisement, _), (_, .done), (_, .saw):
      proceed(session, standing, registering.step)
    case (.registeringAdvertisement(let attempt, let table), .failed(_, mayPass: true))
    where attempt.next != nil:
      guard let (duration, next) = attempt.next else { return }
      enter(session, standing, .pausing(next, table), pause(duration))
    case (.registeringAdvertisement, .failed(let error, _)):
      takeBack(.unregisteringAdvertisement, session, standing, because: error)
    case (_, .failed(let error, _)): giveUp(session, standing, error)
    }
  }

  private mutating func proceed(_ session: Session, _ standing: Standing, _ step: Registering.Step) {
    var session = session
    switch step {
    case .poweringOn:
      session.adapter.isPowered = true
      register(session, standing)
    case .settingAlias(let name):
      session.adapter.alias = name
      register(session, standing)
    case .registeringApplication(let table): advertise(table, session, standing)
    case .unregisteringAdvertisement(let advertisement, let table):
      advertise(AdvertisingTry(advertisement: advertisement), table, session, standing)
    case .pausing(let attempt, let table): advertise(attempt, table, session, standing)
    case .registeringAdvertisement(let attempt, let table):
      goOnAir(session, standing, table, advertising: attempt.advertisement)
    }
  }

  /// Registers the advertisement again, so that bluetoothd sends it.
  mutating func renew(_ advertisement: Advertisement, _ table: AttributeTable, _ session: Session) {
    enter(
      session, .offAir, .unregisteringAdvertisement(advertisement, table), calling: .unregisterAdvertisement)
  }

  /// Advertises as the device asks.
  private mutating func advertise(_ table: AttributeTable, _ session: Session, _ standing: Standing) {
    guard let advertisement = session.request.advertisement else {
      return goOnAir(session, standing, table, advertising: nil)
    }
    advertise(AdvertisingTry(advertisement: advertisement), table, session, standing)
  }

  private mutating func advertise(
    _ attempt: AdvertisingTry, _ table: AttributeTable, _ session: Session, _ standing: Standing
  ) {
    enter(
      session, standing, .registeringAdvertisement(attempt, table),
      calling: .registerAdvertisement(attempt.advertisement))
  }

  private mutating func enter(
    _ session: Session, _ standing: Standing, _ step: Registering.Step, calling call: RegistrationCall
  ) {
    enter(session, standing, step, self.call(call, in: session))
  }

  private mutating func enter(
    _ session: Session, _ standing: Standing, _ step: Registering.Step, _ ticket: Ticket
  ) {
    enter(.registering(session, Registering(standing: standing, step: step, ticket: ticket)))
  }
}

// MARK: Taking back

extension RegistrationStateMachine {
  /// - Parameter error: nil: other attributes follow.
  mutating func takeBack(
    _ step: TakingBack.Step, _ session: Session, _ standing: Standing, because error: TransportError?
  ) {
    let ticket = call(step.call, in: session)
    enter(.takingBack(session, TakingBack(standing: standing, error: error, step: step, ticket: ticket)))
  }

  /// An object that bluetoothd no longer has counts as unregistered.
  mutating func ended(_ session: Session, _ takingBack: TakingBack) {
    if takingBack.step == .unregisteringAdvertisement {
      takeBack(.unregisteringApplication, session, takingBack.standing, because: takingBack.error)
    } else if let error = takingBack.error {
      giveUp(session, takingBack.standing, error)
    } else {
      register(session, takingBack.standing)
    }
  }
}

extension TakingBack.Step {
  fileprivate var call: RegistrationCall {
    switch self {
    case .unregisteringAdvertisement: .unregisterAdvertisement
    case .unregisteringApplication: .unregisterApplication
    }
  }
}

// MARK: Failing

extension RegistrationStateMachine {
  /// Nothing is registered. bluetoothd is asked again after a second.
  private mutating func giveUp(_ session: Session, _ standing: Standing, _ error: TransportError) {
    switch standing {
    case .starting: return fail(session, error)
    case .onAir: tell(.fellOffAir(error.message))
    case .offAir: break
    }
    tryLater(session)
  }

  /// The device cannot go on the air.
  mutating func fail(_ session: Session, _ error: TransportError) {
    enter(.opened(bluetoothd: session.bluetoothd, session.adapter))
    tell(.cannotGoOnAir(error))
  }
}
