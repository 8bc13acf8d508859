import Bluetooth

extension PairingFault {
  /// Whether it strikes what this device is about to do.
  func concerns(_ action: SecurityAction) -> Bool {
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
