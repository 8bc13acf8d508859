import Peripheral

/// bluetoothd answers a registration when its controller has answered. Until then it refuses the same call with
/// `AlreadyExists`, and crashes (5.66) if the client takes the advertisement back. So the machine waits for the answer, unless
/// the adapter may have gone: bluetoothd does not answer for an adapter that it no longer has (its src/advertising.c).
extension RegistrationStateMachine {
  mutating func unanswered() {
    switch state {
    case .registering(let session, let it): unanswered(session, it)
    case .onAir(let session, let it): unanswered(session, it)
    case .leaving(let session, let it): ended(session, it, Self.noAnswer)
    case .closed, .opened, .switchedOff, .takingBack, .waiting: break
    }
  }

  private mutating func unanswered(_ session: Session, _ registering: Registering) {
    switch registering.step {
    case .registeringApplication where session.mustLook: ended(session, registering, Self.noAnswer)
    case .registeringAdvertisement where session.mustLook:
      takeBack(.unregisteringApplication, session, registering.standing, because: .bluetoothdIsSilent)
    case .registeringApplication: tellOfWait(for: "services")
    case .registeringAdvertisement: tellOfWait(for: "advertisement")
    case .poweringOn, .settingAlias, .unregisteringAdvertisement, .pausing: break
    }
  }

  private mutating func unanswered(_ session: Session, _ onAir: OnAir) {
    guard case .registeringAdvertisement = onAir.activity else { return }
    if session.mustLook { ended(session, onAir, Self.noAnswer) } else { tellOfWait(for: "advertisement") }
  }

  private static var noAnswer: RegistrationOutcome { .failed(.bluetoothdIsSilent, mayPass: false) }

  private mutating func tellOfWait(for what: String) {
    tell(.warning("bluetoothd has not confirmed the \(what) yet; blemu keeps waiting"))
  }
}
