import Bluetooth

/// An instruction of a ``SecurityManager`` to its caller, or a report.
package enum SecurityAction: Hashable, Sendable {
  /// Send this PDU to the peer, on the fixed channel 0x0006.
  case send([UInt8])
  /// Encrypt the link, in the role of the central: HCI LE Enable Encryption (Vol 4 Part E 7.8.24).
  ///
  /// - Parameters key, rand: 16 and 8 bytes, least significant first.
  case encrypt(key: [UInt8], rand: [UInt8], ediv: UInt16)
  /// Answer the controller's LE Long Term Key Request with this key, 16 bytes (7.8.25).
  case giveKey([UInt8])
  /// Answer it negatively (7.8.26).
  case refuseKey

  /// Show a person the passkey that is to be entered at the peer, 0 to 999,999.
  case show(passkey: UInt32)
  /// Ask a person for the passkey that the peer shows, and call ``SecurityManager/enter(passkey:at:)``.
  case askPasskey
  /// Ask a person whether the peer shows the same number, 0 to 999,999, and call ``SecurityManager/confirm(_:at:)``.
  case compare(UInt32)

  /// The peripheral asks the central to pair or to encrypt the link (Vol 3 Part H 3.6.7).
  case requestedSecurity(AuthenticationRequirements)
  /// The protection of the link is another one.
  ///
  /// - Parameter byBond: whether the key of a bond encrypts it, and not that of a pairing on this link.
  case securityChanged(LinkSecurity, byBond: Bool)
  /// The pairing has succeeded, and all keys are distributed.
  case paired(PairingResult)
  /// The central has not succeeded in encrypting the link with a key of this device, in the role of the peripheral.
  case encryptionFailed(HCIError)
  /// The pairing has met its ``SecurityManager/fault``.
  case metFault(PairingFault)
  /// The pairing has failed, or a key is missing.
  ///
  /// - Parameter by: the side that has ended it.
  case failed(PairingFailure, by: SecurityManager.Side)
}

/// What a pairing results in.
package struct PairingResult: Hashable, Sendable {
  package var model: AssociationModel
  /// The protection of the link.
  package var security: LinkSecurity
  /// What this device keeps of the peer; nil: they have not bonded.
  package var bond: Bond?
  /// The peer's connection signature resolving key, 16 bytes; nil: it has sent none.
  package var signatureKey: [UInt8]?

  package init(
    model: AssociationModel, security: LinkSecurity, bond: Bond? = nil, signatureKey: [UInt8]? = nil
  ) {
    (self.model, self.security, self.bond) = (model, security, bond)
    self.signatureKey = signatureKey
  }
}
