import Bluetooth

// The authentication of LE legacy pairing (Core Specification, Vol 3 Part H 2.3.5.5).
extension SecurityManager {
  mutating func beginLegacy(_ agreement: PairingAgreement) {
    switch agreement.model {
    case .outOfBand:
      confirm(agreement, temporaryKey: outOfBand.temporaryKey ?? SecurityToolbox.zeros(16), peerConfirm: nil)
    case .justWorks, .numericComparison:
      confirm(agreement, temporaryKey: SecurityToolbox.zeros(16), peerConfirm: nil)
    case .passkeyShownByPeripheral, .passkeyShownByCentral, .passkeyEnteredAtBoth:
      if let passkey = passkey(of: agreement) {
        confirm(agreement, temporaryKey: passkey.bytes, peerConfirm: nil)
      } else {
        state = .legacy(agreement, .passkey(peerConfirm: nil))
      }
    }
  }

  /// Goes on with the temporary key. The central sends the first confirm value.
  mutating func confirm(_ agreement: PairingAgreement, temporaryKey: [UInt8], peerConfirm: [UInt8]?) {
    let secret = LegacySecret(temporaryKey: temporaryKey, random: randomBytes(16))
    state = .legacy(agreement, .confirm(secret))
    if agreement.isCentral {
      send(.pairingConfirm(agreement.confirm(secret.random, temporaryKey)))
    } else if let peerConfirm {
      take(peerConfirm, agreement, secret)
    }
  }

  mutating func handle(
    _ pdu: SecurityPDU, _ agreement: PairingAgreement, _ step: LegacyStep
  ) throws(PairingFailure) {
    switch (pdu, step) {
    case (.pairingConfirm(let value), .passkey(peerConfirm: nil)) where !agreement.isCentral:
      state = .legacy(agreement, .passkey(peerConfirm: value))
    case (.pairingConfirm(let value), .confirm(let secret)): take(value, agreement, secret)
    case (.pairingRandom(let value), .random(let secret, let peerConfirm)):
      try take(value, agreement, secret, peerConfirm)
    default: throw .unspecifiedReason
    }
  }

  private mutating func take(_ peerConfirm: [UInt8], _ agreement: PairingAgreement, _ secret: LegacySecret) {
    state = .legacy(agreement, .random(secret, peerConfirm: peerConfirm))
    if agreement.isCentral {
      send(.pairingRandom(secret.random))
    } else {
      send(.pairingConfirm(agreement.confirm(secret.random, secret.temporaryKey)))
    }
  }

  /// A peer that sends back this device's own values does not know the temporary key.
  private mutating func take(
    _ random: [UInt8], _ agreement: PairingAgreement, _ secret: LegacySecret, _ peerConfirm: [UInt8]
  ) throws(PairingFailure) {
    guard agreement.confirm(random, secret.temporaryKey) == peerConfirm, random != secret.random else {
      throw .confirmValueFailed
    }
    if !agreement.isCentral { send(.pairingRandom(secret.random)) }
    let key = SecurityToolbox.s1(
      secret.temporaryKey, peripheral: agreement.isCentral ? random : secret.random,
      central: agreement.isCentral ? secret.random : random)
    encrypt(agreement, agreement.key(key, kind: agreement.isAuthenticated ? 1 : 0))
  }
}

extension PairingAgreement {
  /// Both devices compute their confirm values in the same way.
  fileprivate func confirm(_ random: [UInt8], _ temporaryKey: [UInt8]) -> [UInt8] {
    SecurityToolbox.c1(
      temporaryKey, random, request: SecurityPDU.pairingRequest(request).bytes,
      response: SecurityPDU.pairingResponse(response).bytes, addresses)
  }
}
