import Bluetooth

/// The last phase of a pairing: first the peripheral distributes its keys, then the central (Core Specification, Vol 3 Part H
/// 3.6).
struct KeyDistribution: Sendable {
  /// The key that encrypts the link.
  let linkKey: LongTermKey
  private let agreement: PairingAgreement
  private let ownIdentity: SecuredLink.Identity
  /// The PDUs that the peer has not sent, in their order.
  private var expected: ArraySlice<SecurityCode>
  /// The long-term key that this device has sent.
  private var ownKey: LongTermKey?
  private var peerKey: LongTermKey?
  private var resolvingKey: [UInt8]?
  private var identity: LinkAddress?
  private var signatureKey: [UInt8]?

  init(
    _ agreement: PairingAgreement, _ linkKey: LongTermKey, _ ownIdentity: SecuredLink.Identity,
    _ output: inout PairingOutput
  ) {
    (self.agreement, self.linkKey, self.ownIdentity) = (agreement, linkKey, ownIdentity)
    expected = agreement.peerKeys.codes[...]
    if !agreement.isCentral || isComplete { sendKeys(&output) }
  }

  var strength: KeyStrength { agreement.strength }

  /// Whether both devices have sent all their keys.
  var isComplete: Bool { expected.isEmpty }

  mutating func take(_ pdu: SecurityPDU, _ output: inout PairingOutput) throws(PairingFailure) {
    guard pdu.code == expected.first else { throw .unspecifiedReason }
    expected.removeFirst()
    switch pdu {
    case .encryptionInformation(let value):
      peerKey = agreement.key(value, kind: linkKey.kind, isOfCentral: true)
    case .centralIdentification(let ediv, let rand):
      peerKey?.ediv = ediv
      peerKey?.rand = rand
    case .identityInformation(let key): resolvingKey = key.contains { $0 != 0 } ? key : nil
    case .identityAddressInformation(let address): identity = address
    case .signingInformation(let key): signatureKey = key
    default: break
    }
    if agreement.isCentral, isComplete { sendKeys(&output) }
  }

  private mutating func sendKeys(_ output: inout PairingOutput) {
    if agreement.ownKeys.contains(.encryption) { sendLongTermKey(&output) }
    if agreement.ownKeys.contains(.identity) {
      output.send(.identityInformation(ownIdentity.resolvingKey ?? SecurityToolbox.zeros(16)))
      output.send(.identityAddressInformation(ownIdentity.address))
    }
    if agreement.ownKeys.contains(.signature), let key = ownIdentity.signatureKey {
      output.send(.signingInformation(key))
    }
  }

  private mutating func sendLongTermKey(_ output: inout PairingOutput) {
    let ediv = output.randomBytes(2)
    let key = agreement.key(
      output.randomBytes(16), kind: linkKey.kind, ediv: UInt16(ediv[0], ediv[1]), rand: output.randomBytes(8))
    output.send(.encryptionInformation(key.value))
    output.send(.centralIdentification(ediv: key.ediv, rand: key.rand))
    ownKey = key
  }

  /// - Parameter security: the protection of the link.
  func result(_ security: LinkSecurity) -> PairingResult {
    PairingResult(model: agreement.model, security: security, bond: bond, signatureKey: signatureKey)
  }

  /// What this device keeps; nil: they have not bonded, or have no keys to keep. Keys that everyone knows are kept only by a device
  /// that uses them itself.
  private var bond: Bond? {
    let keys = agreement.isSecure ? [linkKey] : [ownKey, peerKey].compactMap { $0 }
    guard agreement.bonds, !keys.isEmpty || resolvingKey != nil,
      linkKey.kind != 4 || agreement.policy.usesDebugKeys
    else { return nil }
    return Bond(with: peer, longTermKeys: keys, identityResolvingKey: resolvingKey)
  }

  /// The address by which the peer is known on later links. One whose address is not private may name another than that, but nothing
  /// leads from that to this. If it changes to private addresses, its key leads to either.
  private var peer: LinkAddress {
    let own = agreement.peerAddress
    return own.isPrivate ? identity ?? own : own
  }
}

extension KeyKinds {
  fileprivate var codes: [SecurityCode] {
    var codes: [SecurityCode] = []
    if contains(.encryption) { codes += [.encryptionInformation, .centralIdentification] }
    if contains(.identity) { codes += [.identityInformation, .identityAddressInformation] }
    if contains(.signature) { codes += [.signingInformation] }
    return codes
  }
}
