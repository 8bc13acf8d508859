import DeviceModel
import Peripheral

/// The registration of a device with bluetoothd: a value that takes events and returns effects.
///
/// bluetoothd and adapters may stop and return while a device runs. After any change, the machine asks BlueZ for
/// the state of the adapter and compares it with the wanted one. It makes one call at a time; after an event during
/// a call, it asks again. The outcome of a call counts only while the state holds the call's ticket: a late reply
/// from a bluetoothd that has stopped changes nothing.
struct RegistrationStateMachine: Hashable {
  private(set) var state = RegistrationState.closed
  private var lastTicket = Ticket(number: 0)
  private var effects: [RegistrationEffect] = []

  init() {}

  /// Every event is allowed in every state; one without a meaning there changes nothing.
  mutating func handle(_ event: RegistrationEvent) -> [RegistrationEffect] {
    effects = []
    switch event {
    case .opened(let bluetoothd, let adapter): open(bluetoothd, adapter)
    case .goOnAir(let request): goOnAir(request)
    case .advertise, .serve, .useChanged: registrantChanged(event)
    case .ownerChanged(let owner): ownerChanged(owner)
    case .adaptersChanged: look()
    case .centralArrived: centralArrived()
    case .ended(let ticket, let outcome): if ticket == state.ticket { ended(outcome) }
    case .unanswered(let ticket): if ticket == state.ticket { unanswered() }
    case .leave: leave()
    }
    defer { effects = [] }
    return effects
  }

  private mutating func open(_ bluetoothd: BusOwner, _ adapter: Adapter) {
    if case .closed = state { state = .opened(bluetoothd: bluetoothd, adapter) }
  }

  private mutating func goOnAir(_ request: RegistrationRequest) {
    guard case .opened(let bluetoothd, let adapter) = state else { return }
    register(
      Session(bluetoothd: bluetoothd, registrant: Registrant(adapter: adapter, request: request)), .starting)
  }

  private mutating func ended(_ outcome: RegistrationOutcome) {
    switch state {
    case .closed, .opened: break
    case .registering(let session, let it): ended(session, it, outcome)
    case .onAir(let session, let it): ended(session, it, outcome)
    case .switchedOff(let session, let it): ended(session, it, outcome)
    case .takingBack(let session, let it): ended(session, it)
    case .waiting(let registrant, let it): ended(registrant, it, outcome)
    case .leaving(let session, let it): ended(session, it, outcome)
    }
  }

  private mutating func registrantChanged(_ event: RegistrationEvent) {
    if case .leaving = state { return }
    let before = state.registrant
    state.registrant?.take(event)
    guard state.registrant != before else { return }
    if isWorthALook(event) { look() }
  }

  /// A central that connects or disconnects matters only while new attributes wait for its disconnection.
  private func isWorthALook(_ event: RegistrationEvent) -> Bool {
    guard case .useChanged(let isInUse) = event else { return true }
    guard case .onAir(let session, let onAir) = state else { return false }
    return !isInUse && onAir.table != session.request.table
  }
}

extension Registrant {
  fileprivate mutating func take(_ event: RegistrationEvent) {
    switch event {
    case .advertise(let advertisement):
      request.advertisement = advertisement
      if let name = advertisement?.localName { request.deviceName = name }
    case .serve(let table, let toConnected): (request.table, servesConnected) = (table, toConnected)
    case .useChanged(let isInUse): self.isInUse = isInUse
    default: break
    }
  }
}

// MARK: Parts of transitions

extension RegistrationStateMachine {
  mutating func enter(_ state: RegistrationState) { self.state = state }

  mutating func tell(_ notice: RegistrationNotice) { effects.append(.tell(notice)) }

  mutating func call(_ call: RegistrationCall, in session: Session) -> Ticket {
    lastTicket.number += 1
    effects.append(.call(call, session.adapter, of: session.bluetoothd, lastTicket))
    return lastTicket
  }

  mutating func pause(_ duration: Duration) -> Ticket {
    lastTicket.number += 1
    effects.append(.pause(duration, lastTicket))
    return lastTicket
  }
}

// MARK: Something has changed

extension RegistrationStateMachine {
  /// Asks for the state of the adapter, now or after the pending call.
  private mutating func look() {
    switch state {
    case .closed, .opened, .leaving: break
    case .registering, .takingBack: state.session?.mustLook = true
    case .onAir(let session, let it): look(session, it)
    case .switchedOff(let session, let it): look(session, it)
    case .waiting(let registrant, let it): look(registrant, it)
    }
  }

  /// A connection ends the advertising set. For an extended one, Linux (6.1) starts it again only when that central
  /// disconnects (`hci_le_ext_adv_term_evt`); BlueZ shows it as active. For further centrals, the machine registers it again.
  private mutating func centralArrived() {
    guard state.adapter?.hasExtendedAdvertising == true else { return }
    switch state {
    case .registering: state.session?.mustRenew = true
    case .onAir(var session, let onAir):
      session.mustRenew = true
      if case .resting(let current) = onAir.activity {
        rest(session, onAir, current)
      } else {
        enter(.onAir(session, onAir))
      }
    case .closed, .opened, .switchedOff, .takingBack, .waiting, .leaving: break
    }
  }

  /// The old bluetoothd has ended, and a new one knows nothing of the device.
  private mutating func ownerChanged(_ owner: BusOwner?) {
    guard owner != state.bluetoothd else { return }
    switch state {
    case .closed, .opened: break
    case .registering(let session, let it): lost(session, it.standing, .bluetoothdStopped, next: owner)
    case .takingBack(let session, let it):
      lost(session, it.standing, it.error ?? .bluetoothdStopped, next: owner)
    case .onAir(let session, _): lost(session, .onAir, .bluetoothdStopped, next: owner)
    case .switchedOff(let session, _): awaitBluetoothd(owner, for: session.registrant)
    case .waiting(let registrant, _): awaitBluetoothd(owner, for: registrant)
    case .leaving: haveLeft()
    }
  }

  private mutating func lost(
    _ session: Session, _ standing: Standing, _ error: TransportError, next owner: BusOwner?
  ) {
    switch standing {
    case .starting: return fail(session, error)
    case .onAir: tell(.fellOffAir(TransportError.bluetoothdStopped.message))
    case .offAir: break
    }
    awaitBluetoothd(owner, for: session.registrant)
  }
}
