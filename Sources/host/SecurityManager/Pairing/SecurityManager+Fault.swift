import Bluetooth
import Framing

// What a device deliberately does wrong in a pairing.
extension SecurityManager {
  /// Applies the fault to what this device is about to send.
  mutating func meetFault() {
    guard let fault, let index = actions.firstIndex(where: { fault.concerns($0) }) else { return }
    switch fault.effect {
    case .failure(let reason, _):
      meet(fault)
      fail(reason, inPlaceOf: index)
    case .wrongConfirm:
      guard case .send(let pdu) = actions[index] else { return }
      actions[index] = .send(pdu.dropLast() + [pdu[pdu.count - 1] ^ 1])
      meet(fault)
    }
  }

  private mutating func meet(_ fault: PairingFault) {
    self.fault = nil
    hasMetFault = true
    actions.append(.metFault(fault))
  }

  /// - Parameter index: of the action that does not take place, and neither do those after it.
  private mutating func fail(_ reason: PairingFailure, inPlaceOf index: Int) {
    let met = actions.removeLast()
    // With the last key, the pairing is over for this side.
    let isOver = !isPairing
    actions.removeSubrange(index...)
    actions.append(met)
    fail(reason)
    guard isOver else { return }
    keys = []
    actions.append(.failed(reason, by: .own))
  }

  /// Refuses to encrypt the link with any key, instead of ``longTermKeyRequested(rand:ediv:at:)``.
  package mutating func refuseKey(at now: Instant) -> [SecurityAction] {
    enter(now)
    actions.append(.refuseKey)
    if isPairing { end(.unknown, by: .own) } else { actions.append(.encryptionFailed(.keyMissing)) }
    return takeActions()
  }
}

extension PairingFault {
  fileprivate func concerns(_ action: SecurityAction) -> Bool {
    guard case .send(let pdu) = action, let step = Step(pdu) else { return false }
    return switch effect {
    case .failure(_, let first): step >= first
    case .wrongConfirm: step == .pairingConfirm
    }
  }
}

extension PairingFault.Step {
  /// The step that a PDU of the peripheral is; nil: it is none.
  fileprivate init?(_ pdu: [UInt8]) {
    switch pdu.first.flatMap(SecurityCode.init(rawValue:)) {
    case .pairingResponse: self = .pairingResponse
    case .pairingPublicKey: self = .publicKey
    case .pairingConfirm: self = .pairingConfirm
    case .pairingRandom: self = .pairingRandom
    case .pairingDHKeyCheck: self = .dhKeyCheck
    case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
      .signingInformation:
      self = .keys
    default: return nil
    }
  }
}
