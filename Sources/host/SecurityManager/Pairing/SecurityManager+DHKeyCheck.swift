import Bluetooth

/// Authentication stage 2 of LE Secure Connections: both devices prove that they have the same keys (Core Specification,
/// Vol 3 Part H 2.3.5.6.5).
struct DHKeyCheck: Hashable, Sendable {
  /// The values that both devices send, 16 bytes.
  let own: [UInt8]
  let peer: [UInt8]
  /// The key for the link.
  let key: LongTermKey
}

extension SecurityManager {
  /// - Parameter peerCheck: the central's, if it has come already.
  mutating func beginCheck(
    _ agreement: PairingAgreement, _ keys: SecureKeys, _ random: RandomValues, passkey: UInt32?,
    peerCheck: [UInt8]?
  ) throws(PairingFailure) {
    let check = DHKeyCheck(
      agreement, keys, random, shared: sharedValues(agreement, passkey: passkey))
    state = .secure(agreement, .check(check))
    if agreement.isCentral { send(.pairingDHKeyCheck(check.own)) }
    if let peerCheck { try take(peerCheck, agreement, check) }
  }

  mutating func take(
    _ peerCheck: [UInt8], _ agreement: PairingAgreement, _ check: DHKeyCheck
  ) throws(PairingFailure) {
    guard peerCheck == check.peer else { throw .dhKeyCheckFailed }
    if !agreement.isCentral { send(.pairingDHKeyCheck(check.own)) }
    encrypt(agreement, check.key)
  }

  /// The values r of f6: the passkey, or the random value that the other device got out of band.
  private func sharedValues(_ agreement: PairingAgreement, passkey: UInt32?) -> RandomValues {
    let none = passkey?.bytes ?? SecurityToolbox.zeros(16)
    guard agreement.model == .outOfBand else { return RandomValues(own: none, peer: none) }
    return RandomValues(
      own: (agreement.peerFeatures.hasOutOfBandData ? outOfBand.own?.random : nil) ?? none,
      peer: (agreement.ownFeatures.hasOutOfBandData ? outOfBand.peer?.random : nil) ?? none)
  }
}

extension DHKeyCheck {
  fileprivate init(
    _ agreement: PairingAgreement, _ keys: SecureKeys, _ random: RandomValues, shared: RandomValues
  ) {
    let isCentral = agreement.isCentral
    let derived = SecurityToolbox.f5(
      keys.secret, central: isCentral ? random.own : random.peer,
      peripheral: isCentral ? random.peer : random.own, agreement.addresses)
    own = SecurityToolbox.f6(
      derived.macKey, random.own, random.peer, shared.peer, agreement.ownFeatures.checkedBytes,
      agreement.ownAddress, agreement.peerAddress)
    peer = SecurityToolbox.f6(
      derived.macKey, random.peer, random.own, shared.own, agreement.peerFeatures.checkedBytes,
      agreement.peerAddress, agreement.ownAddress)
    let kind: UInt8 = keys.isDebug ? 4 : agreement.isAuthenticated ? 3 : 2
    key = agreement.key(derived.longTermKey, kind: kind)
  }
}
