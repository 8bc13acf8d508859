import Bluetooth
import Framing

// What a person does at this device (Core Specification, Vol 3 Part H 2.3.5.3).
extension SecurityManager {
  /// Takes the answer to ``SecurityAction/askPasskey``. Does nothing if nobody has asked.
  ///
  /// - Parameter passkey: 0 to 999,999; nil: the person does not want to pair.
  package mutating func enter(passkey: UInt32?, at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      switch manager.state {
      case .legacy(let agreement, .passkey(let peerConfirm)):
        let passkey = try passkey.orRefusal()
        manager.confirm(agreement, temporaryKey: passkey.bytes, peerConfirm: peerConfirm)
      case .secure(let agreement, .passkey(let keys, let peerConfirm)):
        manager.beginRounds(agreement, keys, passkey: try passkey.orRefusal(), peerConfirm: peerConfirm)
      default: break
      }
    }
  }

  /// Takes the answer to ``SecurityAction/compare(_:)``. Does nothing if nobody has asked.
  ///
  /// - Parameter isSame: whether the peer shows the same number.
  package mutating func confirm(_ isSame: Bool, at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      guard case .secure(let agreement, .comparison(let keys, let random, let peerCheck)) = manager.state
      else { return }
      guard isSame else { throw .numericComparisonFailed }
      try manager.beginCheck(agreement, keys, random, passkey: nil, peerCheck: peerCheck)
    }
  }

  /// Ends a pairing that is under way.
  ///
  /// - Parameter reason: what the peer is told: one of the specification's.
  package mutating func cancel(
    _ reason: PairingFailure = .unspecifiedReason, at now: Instant
  ) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      if manager.isPairing { throw reason }
    }
  }

  /// The passkey of a pairing that needs one, or nil: a person is asked for it.
  mutating func passkey(of agreement: PairingAgreement) -> UInt32? {
    if agreement.showsPasskey {
      let passkey = policy.passkey ?? randomPasskey()
      actions.append(.show(passkey: passkey))
      return passkey
    }
    if policy.passkey == nil { actions.append(.askPasskey) }
    return policy.passkey
  }
}

extension PairingAgreement {
  fileprivate var showsPasskey: Bool {
    model == (isCentral ? .passkeyShownByCentral : .passkeyShownByPeripheral)
  }
}

extension UInt32? {
  fileprivate func orRefusal() throws(PairingFailure) -> UInt32 {
    guard let passkey = self, Passkey.range.contains(passkey) else { throw .passkeyEntryFailed }
    return passkey
  }
}

extension UInt32 {
  /// A passkey as a number of 16 bytes.
  var bytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } + SecurityToolbox.zeros(12)
  }
}
