import Bluetooth
import Cryptography

/// The authentication of LE Secure Connections (Core Specification, Vol 3 Part H 2.3.5.6): the public keys, the confirm and random
/// values, and the DHKey checks.
struct SecureExchange: Sendable {
  private enum Step {
    /// The peer has not sent its public key.
    case publicKey(P256.PrivateKey)
    /// A person has not entered the passkey. The central may have sent its first confirm value.
    case passkey(SecureKeys, peerConfirm: [UInt8]?)
    /// The peer has not sent its confirm value.
    case confirm(SecureKeys, SecureRound)
    /// The peer has not sent its random value.
    ///
    /// - Parameter peerConfirm: nil: this model has none.
    case random(SecureKeys, SecureRound, peerConfirm: [UInt8]?)
    /// A person has not compared the numbers. The central may have sent its DHKey check.
    case comparison(SecureKeys, RandomValues, peerCheck: [UInt8]?)
    /// The peer has not sent its DHKey check.
    case check(DHKeyCheck)
  }

  let agreement: PairingAgreement
  private var step: Step

  init(_ agreement: PairingAgreement, _ output: inout PairingOutput) {
    self.agreement = agreement
    let key =
      if agreement.model == .outOfBand, let own = agreement.outOfBand.own {
        own.privateKey
      } else if agreement.policy.usesDebugKeys {
        P256.PrivateKey.debug
      } else {
        P256.PrivateKey(drawn: output.randomBytes(P256.size))
      }
    step = .publicKey(key)
    if agreement.isCentral { output.send(key.pdu) }
  }

  /// - Returns: the key for the link, once both devices have proved that they have it.
  mutating func handle(
    _ pdu: SecurityPDU, _ output: inout PairingOutput
  ) throws(PairingFailure) -> LongTermKey? {
    switch (pdu, step) {
    case (.pairingPublicKey(let x, let y), .publicKey(let key)): try take(x, y, key, &output)
    case (.pairingConfirm(let value), .passkey(let keys, peerConfirm: nil)) where !agreement.isCentral:
      step = .passkey(keys, peerConfirm: value)
    case (.pairingConfirm(let value), .confirm(let keys, let round)): take(value, keys, round, &output)
    case (.pairingRandom(let value), .random(let keys, let round, let peerConfirm)):
      try take(value, keys, round, peerConfirm, &output)
    case (.pairingDHKeyCheck(let value), .comparison(let keys, let random, peerCheck: nil))
    where !agreement.isCentral:
      step = .comparison(keys, random, peerCheck: value)
    case (.pairingDHKeyCheck(let value), .check(let check)): return try take(value, check, &output)
    default: throw .unspecifiedReason
    }
    return nil
  }
}

// MARK: Public keys

extension SecureExchange {
  /// A public key must be on the curve, and not this device's own, sent back (2.3.5.6.1).
  private mutating func take(
    _ x: [UInt8], _ y: [UInt8], _ key: P256.PrivateKey, _ output: inout PairingOutput
  ) throws(PairingFailure) {
    let debugX = P256.PrivateKey.debug.publicKey.airX
    guard let point = P256.Point(x: x.reversed(), y: y.reversed()), x != key.publicKey.airX || x == debugX
    else { throw .invalidParameters }
    if !agreement.isCentral { output.send(key.pdu) }
    let ownX = key.publicKey.airX
    let keys = SecureKeys(
      ownX: ownX, peerX: x, secret: key.sharedSecret(with: point).reversed(),
      isDebug: x == debugX || ownX == debugX)
    switch agreement.model {
    case .justWorks, .numericComparison: beginConfirming(keys, &output)
    case .outOfBand: try beginOutOfBand(keys, &output)
    case .passkeyShownByPeripheral, .passkeyShownByCentral, .passkeyEnteredAtBoth:
      if let passkey = output.passkey(of: agreement) {
        beginRounds(keys, passkey: passkey, peerConfirm: nil, &output)
      } else {
        step = .passkey(keys, peerConfirm: nil)
      }
    }
  }
}

extension P256.PrivateKey {
  fileprivate var pdu: SecurityPDU { .pairingPublicKey(x: publicKey.airX, y: publicKey.airY) }
}

/// What both devices know after they have exchanged their public keys. All values are as on the air.
private struct SecureKeys {
  let ownX: [UInt8]
  let peerX: [UInt8]
  /// The DHKey.
  let secret: [UInt8]
  /// Whether one of the key pairs is the one that everyone knows.
  let isDebug: Bool

  /// This device's confirm value.
  func confirm(_ round: SecureRound) -> [UInt8] { SecurityToolbox.f4(ownX, peerX, round.random, round.bit) }
}

// MARK: Stage 1: confirm and random values (2.3.5.6.2 to 2.3.5.6.4)

extension SecureExchange {
  /// Just Works and Numeric Comparison: only the peripheral sends a confirm value.
  private mutating func beginConfirming(_ keys: SecureKeys, _ output: inout PairingOutput) {
    let round = SecureRound(passkey: nil, random: output.randomBytes(16))
    if agreement.isCentral {
      step = .confirm(keys, round)
    } else {
      step = .random(keys, round, peerConfirm: nil)
      output.send(.pairingConfirm(keys.confirm(round)))
    }
  }

  /// Out of band: the confirm values came by another way.
  private mutating func beginOutOfBand(
    _ keys: SecureKeys, _ output: inout PairingOutput
  ) throws(PairingFailure) {
    if agreement.ownFeatures.hasOutOfBandData, let peer = agreement.outOfBand.peer {
      let confirm = SecurityToolbox.f4(keys.peerX, keys.peerX, peer.random, 0)
      guard confirm == peer.confirm else { throw .confirmValueFailed }
    }
    let round = SecureRound(passkey: nil, random: output.randomBytes(16))
    step = .random(keys, round, peerConfirm: nil)
    if agreement.isCentral { output.send(.pairingRandom(round.random)) }
  }

  /// Takes a person's answer to ``SecurityAction/askPasskey``, if somebody has been asked.
  mutating func enter(_ passkey: UInt32?, _ output: inout PairingOutput) throws(PairingFailure) {
    guard case .passkey(let keys, let peerConfirm) = step else { return }
    beginRounds(keys, passkey: try passkey.orRefusal(), peerConfirm: peerConfirm, &output)
  }

  /// Passkey: 20 rounds, in each of which the central sends the first confirm value.
  private mutating func beginRounds(
    _ keys: SecureKeys, passkey: UInt32, peerConfirm: [UInt8]?, _ output: inout PairingOutput
  ) {
    let round = SecureRound(passkey: passkey, random: output.randomBytes(16))
    begin(round, keys, &output)
    if let peerConfirm { take(peerConfirm, keys, round, &output) }
  }

  private mutating func begin(_ round: SecureRound, _ keys: SecureKeys, _ output: inout PairingOutput) {
    step = .confirm(keys, round)
    if agreement.isCentral { output.send(.pairingConfirm(keys.confirm(round))) }
  }

  private mutating func take(
    _ peerConfirm: [UInt8], _ keys: SecureKeys, _ round: SecureRound, _ output: inout PairingOutput
  ) {
    step = .random(keys, round, peerConfirm: peerConfirm)
    output.send(agreement.isCentral ? .pairingRandom(round.random) : .pairingConfirm(keys.confirm(round)))
  }

  private mutating func take(
    _ random: [UInt8], _ keys: SecureKeys, _ round: SecureRound, _ peerConfirm: [UInt8]?,
    _ output: inout PairingOutput
  ) throws(PairingFailure) {
    if let peerConfirm {
      let expected = SecurityToolbox.f4(keys.peerX, keys.ownX, random, round.bit)
      guard expected == peerConfirm else { throw .confirmValueFailed }
    }
    if !agreement.isCentral { output.send(.pairingRandom(round.random)) }
    guard round.isLast else {
      let next = SecureRound(passkey: round.passkey, number: round.number + 1, random: output.randomBytes(16))
      return begin(next, keys, &output)
    }
    let values = RandomValues(own: round.random, peer: random)
    guard agreement.model == .numericComparison else {
      return beginCheck(keys, values, passkey: round.passkey, &output)
    }
    step = .comparison(keys, values, peerCheck: nil)
    let number =
      agreement.isCentral
      ? SecurityToolbox.g2(keys.ownX, keys.peerX, values.own, values.peer)
      : SecurityToolbox.g2(keys.peerX, keys.ownX, values.peer, values.own)
    output.actions.append(.compare(number.digits))
  }

  /// Takes a person's answer to ``SecurityAction/compare(_:)``, if somebody has been asked.
  ///
  /// - Returns: likewise.
  mutating func confirm(
    _ isSame: Bool, _ output: inout PairingOutput
  ) throws(PairingFailure) -> LongTermKey? {
    guard case .comparison(let keys, let random, let peerCheck) = step else { return nil }
    guard isSame else { throw .numericComparisonFailed }
    beginCheck(keys, random, passkey: nil, &output)
    return if let peerCheck { try handle(.pairingDHKeyCheck(peerCheck), &output) } else { nil }
  }
}

/// One round of confirm and random values: a passkey takes 20, other models one.
private struct SecureRound {
  /// nil: the model has none.
  let passkey: UInt32?
  /// From 0.
  var number = 0
  /// This device's random value, 16 bytes.
  var random: [UInt8]

  var isLast: Bool { passkey == nil || number == 19 }

  /// The bit of the passkey that the confirm values of this round cover (2.3.5.6.3).
  var bit: UInt8 { passkey.map { UInt8($0 >> UInt32(number) & 1) | 0x80 } ?? 0 }
}

/// The random values of the last round, 16 bytes each.
private struct RandomValues {
  let own: [UInt8]
  let peer: [UInt8]
}

// MARK: Stage 2: both devices prove that they have the same keys (2.3.5.6.5)

extension SecureExchange {
  private mutating func beginCheck(
    _ keys: SecureKeys, _ random: RandomValues, passkey: UInt32?, _ output: inout PairingOutput
  ) {
    let check = DHKeyCheck(agreement, keys, random, passkey: passkey)
    step = .check(check)
    if agreement.isCentral { output.send(.pairingDHKeyCheck(check.own)) }
  }

  private func take(
    _ peerCheck: [UInt8], _ check: DHKeyCheck, _ output: inout PairingOutput
  ) throws(PairingFailure) -> LongTermKey {
    guard peerCheck == check.peer else { throw .dhKeyCheckFailed }
    if !agreement.isCentral { output.send(.pairingDHKeyCheck(check.own)) }
    return check.key
  }
}

private struct DHKeyCheck {
  /// The values that both devices send, 16 bytes.
  let own: [UInt8]
  let peer: [UInt8]
  /// The key for the link.
  let key: LongTermKey

  init(_ agreement: PairingAgreement, _ keys: SecureKeys, _ random: RandomValues, passkey: UInt32?) {
    let isCentral = agreement.isCentral
    let derived = SecurityToolbox.f5(
      keys.secret, central: isCentral ? random.own : random.peer,
      peripheral: isCentral ? random.peer : random.own, agreement.addresses)
    let shared = Self.sharedValues(agreement, passkey: passkey)
    own = SecurityToolbox.f6(
      derived.macKey, random.own, random.peer, shared.peer, agreement.ownFeatures.checkedBytes,
      agreement.ownAddress, agreement.peerAddress)
    peer = SecurityToolbox.f6(
      derived.macKey, random.peer, random.own, shared.own, agreement.peerFeatures.checkedBytes,
      agreement.peerAddress, agreement.ownAddress)
    let kind: UInt8 = keys.isDebug ? 4 : agreement.isAuthenticated ? 3 : 2
    key = agreement.key(derived.longTermKey, kind: kind)
  }

  /// The values r of f6: the passkey, or the random value that the other device got out of band.
  private static func sharedValues(_ agreement: PairingAgreement, passkey: UInt32?) -> RandomValues {
    let (none, outOfBand) = (passkey?.bytes ?? SecurityToolbox.zeros(16), agreement.outOfBand)
    guard agreement.model == .outOfBand else { return RandomValues(own: none, peer: none) }
    return RandomValues(
      own: (agreement.peerFeatures.hasOutOfBandData ? outOfBand.own?.random : nil) ?? none,
      peer: (agreement.ownFeatures.hasOutOfBandData ? outOfBand.peer?.random : nil) ?? none)
  }
}
