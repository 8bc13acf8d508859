import Bluetooth

/// The authentication of LE legacy pairing (Core Specification, Vol 3 Part H 2.3.5.5).
struct LegacyExchange: Sendable {
  private enum Step {
    /// A person has not entered the passkey. The central may have sent its confirm value.
    case passkey(peerConfirm: [UInt8]?)
    /// The peer has not sent its confirm value.
    case confirm(Secret)
    /// The peer has not sent its random value.
    case random(Secret, peerConfirm: [UInt8])
  }

  private struct Secret {
    /// 16 bytes.
    let temporaryKey: [UInt8]
    /// This device's random value, 16 bytes.
    let random: [UInt8]
  }

  let agreement: PairingAgreement
  private var step = Step.passkey(peerConfirm: nil)

  init(_ agreement: PairingAgreement, _ output: inout PairingOutput) {
    self.agreement = agreement
    switch agreement.model {
    case .outOfBand:
      confirm(agreement.outOfBand.temporaryKey ?? SecurityToolbox.zeros(16), peerConfirm: nil, &output)
    case .justWorks, .numericComparison: confirm(SecurityToolbox.zeros(16), peerConfirm: nil, &output)
    case .passkeyShownByPeripheral, .passkeyShownByCentral, .passkeyEnteredAtBoth:
      if let passkey = output.passkey(of: agreement) { confirm(passkey.bytes, peerConfirm: nil, &output) }
    }
  }

  /// Goes on with the temporary key. The central sends the first confirm value.
  private mutating func confirm(
    _ temporaryKey: [UInt8], peerConfirm: [UInt8]?, _ output: inout PairingOutput
  ) {
    let secret = Secret(temporaryKey: temporaryKey, random: output.randomBytes(16))
    step = .confirm(secret)
    if agreement.isCentral {
      output.send(.pairingConfirm(confirmValue(secret.random, temporaryKey)))
    } else if let peerConfirm {
      take(peerConfirm, secret, &output)
    }
  }

  /// Takes a person's answer to ``SecurityAction/askPasskey``, if somebody has been asked.
  mutating func enter(_ passkey: UInt32?, _ output: inout PairingOutput) throws(PairingFailure) {
    guard case .passkey(let peerConfirm) = step else { return }
    confirm(try passkey.orRefusal().bytes, peerConfirm: peerConfirm, &output)
  }

  /// - Returns: the key for the link, once both devices have it.
  mutating func handle(
    _ pdu: SecurityPDU, _ output: inout PairingOutput
  ) throws(PairingFailure) -> LongTermKey? {
    switch (pdu, step) {
    case (.pairingConfirm(let value), .passkey(peerConfirm: nil)) where !agreement.isCentral:
      step = .passkey(peerConfirm: value)
    case (.pairingConfirm(let value), .confirm(let secret)): take(value, secret, &output)
    case (.pairingRandom(let value), .random(let secret, let peerConfirm)):
      return try take(value, secret, peerConfirm, &output)
    default: throw .unspecifiedReason
    }
    return nil
  }

  private mutating func take(_ peerConfirm: [UInt8], _ secret: Secret, _ output: inout PairingOutput) {
    step = .random(secret, peerConfirm: peerConfirm)
    output.send(
      agreement.isCentral
        ? .pairingRandom(secret.random) : .pairingConfirm(confirmValue(secret.random, secret.temporaryKey)))
  }

  /// A peer that sends back this device's own values does not know the temporary key.
  private func take(
    _ random: [UInt8], _ secret: Secret, _ peerConfirm: [UInt8], _ output: inout PairingOutput
  ) throws(PairingFailure) -> LongTermKey {
    guard confirmValue(random, secret.temporaryKey) == peerConfirm, random != secret.random else {
      throw .confirmValueFailed
    }
    if !agreement.isCentral { output.send(.pairingRandom(secret.random)) }
    let key = SecurityToolbox.s1(
      secret.temporaryKey, peripheral: agreement.isCentral ? random : secret.random,
      central: agreement.isCentral ? secret.random : random)
    return agreement.key(key, kind: agreement.isAuthenticated ? 1 : 0)
  }

  /// Both devices compute their confirm values in the same way.
  private func confirmValue(_ random: [UInt8], _ temporaryKey: [UInt8]) -> [UInt8] {
    SecurityToolbox.c1(
      temporaryKey, random, request: SecurityPDU.pairingRequest(agreement.request).bytes,
      response: SecurityPDU.pairingResponse(agreement.response).bytes, agreement.addresses)
  }
}
