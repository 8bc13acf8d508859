import Bluetooth
import DeviceModel
import Peripheral

// MARK: Going on the air

extension RegistrationStateMachine {
  mutating func goOnAir(
    _ session: Session, _ standing: Standing, _ table: AttributeTable, advertising current: Advertisement?
  ) {
    switch standing {
    case .starting: tell(.wentOnAir)
    case .offAir: tell(.cameBackOnAir)
    case .onAir: break
    }
    rest(session, OnAir(table: table, activity: .resting(current)), current)
  }

  /// bluetoothd keeps the device's objects while the adapter is off. But if the controller has extended advertising, Linux
  /// (6.1) forgets the advertisement, and bluetoothd (5.66) does not send it again.
  private mutating func comeBack(_ session: Session, _ switchedOff: SwitchedOff) {
    var session = session
    session.mustLook = true  // the device may want something else by now
    if let advertisement = switchedOff.advertisement, session.adapter.hasExtendedAdvertising {
      renew(advertisement, switchedOff.table, session)
    } else {
      goOnAir(session, .offAir, switchedOff.table, advertising: switchedOff.advertisement)
    }
  }
}

// MARK: Looking at an adapter that is off

extension RegistrationStateMachine {
  mutating func look(_ session: Session, _ switchedOff: SwitchedOff) {
    var (session, switchedOff) = (session, switchedOff)
    session.mustLook = switchedOff.look != nil
    if switchedOff.look == nil { switchedOff.look = call(.look, in: session) }
    enter(.switchedOff(session, switchedOff))
  }

  mutating func ended(_ session: Session, _ switchedOff: SwitchedOff, _ outcome: RegistrationOutcome) {
    var session = session
    switch outcome {
    case .saw(nil): awaitAdapter(session)
    case .saw(let adapter?):
      session.adapter = adapter
      if adapter.isPowered { comeBack(session, switchedOff) } else { rest(session, switchedOff) }
    case .done, .failed: rest(session, switchedOff)
    }
  }

  private mutating func rest(_ session: Session, _ switchedOff: SwitchedOff) {
    var switchedOff = switchedOff
    switchedOff.look = nil
    if session.mustLook { look(session, switchedOff) } else { enter(.switchedOff(session, switchedOff)) }
  }
}

// MARK: Looking at an adapter that is on

extension RegistrationStateMachine {
  mutating func look(_ session: Session, _ onAir: OnAir) {
    switch onAir.activity {
    case .resting(let current), .retrying(_, let current): look(session, onAir, current)
    case .looking, .settingAlias, .unregisteringAdvertisement, .registeringAdvertisement, .pausing:
      var session = session
      session.mustLook = true
      enter(.onAir(session, onAir))
    }
  }

  mutating func look(_ session: Session, _ onAir: OnAir, _ current: Advertisement?) {
    var session = session
    session.mustLook = false
    enter(session, onAir, .looking(call(.look, in: session), current))
  }

  mutating func looked(
    _ session: Session, _ onAir: OnAir, _ current: Advertisement?, _ outcome: RegistrationOutcome
  ) {
    var session = session
    switch outcome {
    case .saw(nil):
      tell(.fellOffAir("the adapter is gone"))
      awaitAdapter(session)
    case .saw(let adapter?):
      session.adapter = adapter
      guard !adapter.isPowered else { return compare(session, onAir, current) }
      tell(.fellOffAir("\(adapter.name) was switched off"))
      rest(session, SwitchedOff(table: onAir.table, advertisement: current))
    case .done, .failed: retry(session, onAir, current)
    }
  }
}
