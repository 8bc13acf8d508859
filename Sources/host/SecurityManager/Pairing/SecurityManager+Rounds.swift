import Bluetooth

// Authentication stage 1 of LE Secure Connections: confirm and random values (Core Specification, Vol 3 Part H 2.3.5.6.2 to
// 2.3.5.6.4).
extension SecurityManager {
  /// Just Works and Numeric Comparison: only the peripheral sends a confirm value.
  mutating func beginConfirming(_ agreement: PairingAgreement, _ keys: SecureKeys) {
    let round = SecureRound(passkey: nil, random: randomBytes(16))
    if agreement.isCentral {
      state = .secure(agreement, .confirm(keys, round))
    } else {
      state = .secure(agreement, .random(keys, round, peerConfirm: nil))
      send(.pairingConfirm(keys.confirm(round)))
    }
  }

  /// Out of band: the confirm values came by another way.
  mutating func beginOutOfBand(_ agreement: PairingAgreement, _ keys: SecureKeys) throws(PairingFailure) {
    if agreement.ownFeatures.hasOutOfBandData, let peer = outOfBand.peer {
      let confirm = SecurityToolbox.f4(keys.peerX, keys.peerX, peer.random, 0)
      guard confirm == peer.confirm else { throw .confirmValueFailed }
    }
    let round = SecureRound(passkey: nil, random: randomBytes(16))
    state = .secure(agreement, .random(keys, round, peerConfirm: nil))
    if agreement.isCentral { send(.pairingRandom(round.random)) }
  }

  /// Passkey: 20 rounds, in each of which the central sends the first confirm value.
  mutating func beginRounds(
    _ agreement: PairingAgreement, _ keys: SecureKeys, passkey: UInt32, peerConfirm: [UInt8]?
  ) {
    let round = SecureRound(passkey: passkey, random: randomBytes(16))
    begin(round, agreement, keys)
    if let peerConfirm { take(peerConfirm, agreement, keys, round) }
  }

  private mutating func begin(_ round: SecureRound, _ agreement: PairingAgreement, _ keys: SecureKeys) {
    state = .secure(agreement, .confirm(keys, round))
    if agreement.isCentral { send(.pairingConfirm(keys.confirm(round))) }
  }

  mutating func take(
    _ peerConfirm: [UInt8], _ agreement: PairingAgreement, _ keys: SecureKeys, _ round: SecureRound
  ) {
    state = .secure(agreement, .random(keys, round, peerConfirm: peerConfirm))
    send(agreement.isCentral ? .pairingRandom(round.random) : .pairingConfirm(keys.confirm(round)))
  }

  mutating func take(
    _ random: [UInt8], _ agreement: PairingAgreement, _ keys: SecureKeys, _ round: SecureRound,
    _ peerConfirm: [UInt8]?
  ) throws(PairingFailure) {
    if let peerConfirm {
      let expected = SecurityToolbox.f4(keys.peerX, keys.ownX, random, round.bit)
      guard expected == peerConfirm else { throw .confirmValueFailed }
    }
    if !agreement.isCentral { send(.pairingRandom(round.random)) }
    guard round.isLast else {
      let next = SecureRound(passkey: round.passkey, number: round.number + 1, random: randomBytes(16))
      return begin(next, agreement, keys)
    }
    try finish(agreement, keys, RandomValues(own: round.random, peer: random), passkey: round.passkey)
  }

  private mutating func finish(
    _ agreement: PairingAgreement, _ keys: SecureKeys, _ random: RandomValues, passkey: UInt32?
  ) throws(PairingFailure) {
    guard agreement.model == .numericComparison else {
      return try beginCheck(agreement, keys, random, passkey: passkey, peerCheck: nil)
    }
    state = .secure(agreement, .comparison(keys, random, peerCheck: nil))
    let number =
      agreement.isCentral
      ? SecurityToolbox.g2(keys.ownX, keys.peerX, random.own, random.peer)
      : SecurityToolbox.g2(keys.peerX, keys.ownX, random.peer, random.own)
    actions.append(.compare(number.digits))
  }
}

extension SecureKeys {
  /// This device's confirm value.
  fileprivate func confirm(_ round: SecureRound) -> [UInt8] {
    SecurityToolbox.f4(ownX, peerX, round.random, round.bit)
  }
}
