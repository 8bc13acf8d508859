import Bluetooth
import Cryptography

// The authentication of LE Secure Connections: the public keys, and which values follow (Core Specification, Vol 3 Part H
// 2.3.5.6).
extension SecurityManager {
  mutating func beginSecure(_ agreement: PairingAgreement) {
    let key = privateKey(for: agreement)
    state = .secure(agreement, .publicKey(key))
    if agreement.isCentral { sendPublicKey(of: key) }
  }

  private mutating func privateKey(for agreement: PairingAgreement) -> P256.PrivateKey {
    if agreement.model == .outOfBand, let own = outOfBand.own { return own.privateKey }
    return policy.usesDebugKeys ? .debug : P256.PrivateKey(drawn: randomBytes(P256.size))
  }

  private mutating func sendPublicKey(of key: P256.PrivateKey) {
    send(.pairingPublicKey(x: key.publicKey.airX, y: key.publicKey.airY))
  }

  mutating func handle(
    _ pdu: SecurityPDU, _ agreement: PairingAgreement, _ step: SecureStep
  ) throws(PairingFailure) {
    switch (pdu, step) {
    case (.pairingPublicKey(let x, let y), .publicKey(let key)): try take(x, y, agreement, key)
    case (.pairingConfirm(let value), .passkey(let keys, peerConfirm: nil)) where !agreement.isCentral:
      state = .secure(agreement, .passkey(keys, peerConfirm: value))
    case (.pairingConfirm(let value), .confirm(let keys, let round)): take(value, agreement, keys, round)
    case (.pairingRandom(let value), .random(let keys, let round, let peerConfirm)):
      try take(value, agreement, keys, round, peerConfirm)
    case (.pairingDHKeyCheck(let value), .comparison(let keys, let random, peerCheck: nil))
    where !agreement.isCentral:
      state = .secure(agreement, .comparison(keys, random, peerCheck: value))
    case (.pairingDHKeyCheck(let value), .check(let check)): try take(value, agreement, check)
    default: throw .unspecifiedReason
    }
  }

  /// A public key must be on the curve, and not this device's own, sent back (2.3.5.6.1).
  private mutating func take(
    _ x: [UInt8], _ y: [UInt8], _ agreement: PairingAgreement, _ key: P256.PrivateKey
  ) throws(PairingFailure) {
    let debugX = P256.PrivateKey.debug.publicKey.airX
    guard let point = P256.Point(x: x.reversed(), y: y.reversed()), x != key.publicKey.airX || x == debugX
    else { throw .invalidParameters }
    if !agreement.isCentral { sendPublicKey(of: key) }
    let ownX = key.publicKey.airX
    try authenticate(
      agreement,
      SecureKeys(
        ownX: ownX, peerX: x, secret: key.sharedSecret(with: point).reversed(),
        isDebug: x == debugX || ownX == debugX))
  }

  private mutating func authenticate(
    _ agreement: PairingAgreement, _ keys: SecureKeys
  ) throws(PairingFailure) {
    switch agreement.model {
    case .justWorks, .numericComparison: beginConfirming(agreement, keys)
    case .outOfBand: try beginOutOfBand(agreement, keys)
    case .passkeyShownByPeripheral, .passkeyShownByCentral, .passkeyEnteredAtBoth:
      if let passkey = passkey(of: agreement) {
        beginRounds(agreement, keys, passkey: passkey, peerConfirm: nil)
      } else {
        state = .secure(agreement, .passkey(keys, peerConfirm: nil))
      }
    }
  }
}
