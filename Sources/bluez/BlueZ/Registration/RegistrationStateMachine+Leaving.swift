import Peripheral

// MARK: Leaving

extension RegistrationStateMachine {
  /// Unregisters everything, after the pending call where that matters.
  mutating func leave() {
    switch state {
    case .closed, .opened, .waiting: haveLeft()
    case .registering(let session, let it): leave(session, it)
    case .onAir(let session, let it): leave(session, it)
    case .switchedOff(let session, let it): takeBack(session, isAdvertising: it.advertisement != nil)
    case .takingBack(let session, let it): leave(session, it)
    case .leaving: break
    }
  }

  mutating func haveLeft() {
    enter(.closed)
    tell(.left)
  }

  mutating func ended(_ session: Session, _ leaving: Leaving, _ outcome: RegistrationOutcome) {
    var hasFailed = false
    if case .failed = outcome { hasFailed = true }
    switch leaving.step {
    case .poweringOn, .unregisteringApplication: haveLeft()
    case .registeringApplication where hasFailed: haveLeft()
    case .registeringAdvertisement: takeBack(session, isAdvertising: !hasFailed)
    case .registeringApplication, .unregisteringAdvertisement: takeBack(session, isAdvertising: false)
    }
  }

  private mutating func leave(_ session: Session, _ registering: Registering) {
    if registering.standing == .starting { tell(.cannotGoOnAir(.leftEarly)) }
    switch registering.step {
    case .poweringOn: wait(for: .poweringOn, session, registering.ticket)
    case .settingAlias: haveLeft()
    case .registeringApplication: wait(for: .registeringApplication, session, registering.ticket)
    case .unregisteringAdvertisement: wait(for: .unregisteringAdvertisement, session, registering.ticket)
    case .registeringAdvertisement: wait(for: .registeringAdvertisement, session, registering.ticket)
    case .pausing: takeBack(session, isAdvertising: false)
    }
  }

  private mutating func leave(_ session: Session, _ onAir: OnAir) {
    switch onAir.activity {
    case .unregisteringAdvertisement(let ticket): wait(for: .unregisteringAdvertisement, session, ticket)
    case .registeringAdvertisement(_, let ticket): wait(for: .registeringAdvertisement, session, ticket)
    case .resting, .looking, .settingAlias, .pausing, .retrying:
      takeBack(session, isAdvertising: onAir.activity.advertisement != nil)
    }
  }

  private mutating func leave(_ session: Session, _ takingBack: TakingBack) {
    if takingBack.standing == .starting { tell(.cannotGoOnAir(takingBack.error ?? .leftEarly)) }
    switch takingBack.step {
    case .unregisteringAdvertisement: wait(for: .unregisteringAdvertisement, session, takingBack.ticket)
    case .unregisteringApplication: wait(for: .unregisteringApplication, session, takingBack.ticket)
    }
  }

  private mutating func takeBack(_ session: Session, isAdvertising: Bool) {
    if isAdvertising {
      wait(for: .unregisteringAdvertisement, session, call(.unregisterAdvertisement, in: session))
    } else {
      wait(for: .unregisteringApplication, session, call(.unregisterApplication, in: session))
    }
  }

  private mutating func wait(for step: Leaving.Step, _ session: Session, _ ticket: Ticket) {
    enter(.leaving(session, Leaving(step: step, ticket: ticket)))
  }
}
