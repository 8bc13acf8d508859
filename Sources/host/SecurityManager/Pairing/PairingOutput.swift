import Bluetooth

/// What a pairing does in one call, and the random numbers for it.
struct PairingOutput: Sendable {
  var actions: [SecurityAction] = []
  private var random: any RandomNumberGenerator & Sendable

  init(random: any RandomNumberGenerator & Sendable) { self.random = random }

  mutating func send(_ pdu: SecurityPDU) { actions.append(.send(pdu.bytes)) }

  mutating func randomBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// The passkey of a pairing that needs one, or nil: a person is asked for it (Core Specification, Vol 3 Part H 2.3.5.3).
  mutating func passkey(of agreement: PairingAgreement) -> UInt32? {
    let own = agreement.policy.passkey
    if agreement.showsPasskey {
      let passkey = own ?? UInt32(random.next() % UInt64(Passkey.range.upperBound + 1))
      actions.append(.show(passkey: passkey))
      return passkey
    }
    guard let own, !agreement.policy.asksForPasskey else {
      actions.append(.askPasskey)
      return nil
    }
    return own
  }
}

extension PairingAgreement {
  fileprivate var showsPasskey: Bool {
    model == (isCentral ? .passkeyShownByCentral : .passkeyShownByPeripheral)
  }
}

extension UInt32? {
  /// The passkey that a person has entered.
  func orRefusal() throws(PairingFailure) -> UInt32 {
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
