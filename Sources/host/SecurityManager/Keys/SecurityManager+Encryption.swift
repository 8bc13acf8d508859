import Bluetooth
import Framing

/// A key that the controller has been given.
struct StartingKey: Hashable, Sendable {
  let security: LinkSecurity
  /// Whether it is the key of the pairing that is under way.
  let isOfPairing: Bool
}

// The encryption of the link, by a key of the pairing or a kept one (Core Specification, Vol 3 Part H 2.4.4).
extension SecurityManager {
  /// Encrypts the link with a kept key, in the role of the central. Does nothing during a pairing, and without such a key.
  package mutating func encrypt(at now: Instant) -> [SecurityAction] {
    enter(now)
    if link.role == .central, !isPairing, let key = keys.first(where: \.servesCentral) {
      start(key, isOfPairing: false)
      actions.append(.encrypt(key: key.value, rand: key.rand, ediv: key.ediv))
    }
    return takeActions()
  }

  /// The peripheral's controller asks for the key of the link (LE Long Term Key Request, Vol 4 Part E 7.7.65.5).
  ///
  /// - Parameter rand: 8 bytes, least significant first.
  package mutating func longTermKeyRequested(rand: [UInt8], ediv: UInt16, at now: Instant) -> [SecurityAction]
  {
    enter(now)
    if let (key, isOfPairing) = key(rand: rand, ediv: ediv) {
      start(key, isOfPairing: isOfPairing)
      actions.append(.giveKey(key.value))
    } else {
      actions += [.refuseKey, .failed(.keyMissing, by: .own)]
    }
    return takeActions()
  }

  private func key(rand: [UInt8], ediv: UInt16) -> (LongTermKey, isOfPairing: Bool)? {
    guard link.role == .peripheral else { return nil }
    if case .encrypting(_, let key) = state, key.ediv == ediv, key.rand == rand { return (key, true) }
    return keys.first { !$0.isOfCentral && $0.ediv == ediv && $0.rand == rand }.map { ($0, false) }
  }

  /// The pairing has a key for the link, and the central starts the encryption.
  mutating func encrypt(_ agreement: PairingAgreement, _ key: LongTermKey) {
    state = .encrypting(agreement, key)
    guard agreement.isCentral else { return }
    start(key, isOfPairing: true)
    actions.append(.encrypt(key: key.value, rand: key.rand, ediv: key.ediv))
  }

  private mutating func start(_ key: LongTermKey, isOfPairing: Bool) {
    startingKey = StartingKey(security: key.security, isOfPairing: isOfPairing)
  }
}

// MARK: What the controller reports

extension SecurityManager {
  /// The encryption has begun, has a new key, or has ended (Encryption Change, Encryption Key Refresh Complete; Vol 4 Part E
  /// 7.7.8, 7.7.39).
  package mutating func encryptionChanged(to isEncrypted: Bool, at now: Instant) -> [SecurityAction] {
    enter(now)
    let key = startingKey
    startingKey = nil
    let old = security
    let unknown = old.isEncrypted ? old : .encrypted
    security = isEncrypted ? key?.security ?? unknown : .none
    if security != old { actions.append(.securityChanged(security)) }
    switch state {
    case .encrypting(let agreement, let pairingKey) where isEncrypted && key?.isOfPairing == true:
      distribute(agreement, pairingKey)
    case .distributing where !isEncrypted: fail(.unspecifiedReason)
    case .securityRequested: state = .idle
    default: break
    }
    return takeActions()
  }

  /// The encryption could not be started, or not be given a new key: the same events with a status.
  package mutating func encryptionFailed(_ error: HCIError, at now: Instant) -> [SecurityAction] {
    enter(now)
    let key = startingKey
    startingKey = nil
    if key?.isOfPairing == true {
      end(.unknown, by: .peer)
    } else if key != nil, link.role == .peripheral {
      actions.append(.encryptionFailed(error))
    } else if key != nil {
      actions.append(.failed(error == .keyMissing ? .keyMissing : .unknown, by: .peer))
    }
    return takeActions()
  }
}

extension LongTermKey {
  fileprivate var servesCentral: Bool { isOfCentral || kind >= 2 }
}
