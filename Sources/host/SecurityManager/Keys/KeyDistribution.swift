import Bluetooth

/// The last phase of a pairing: first the peripheral distributes its keys, then the central (Core Specification, Vol 3 Part H
/// 3.6.1).
struct KeyDistribution: Hashable, Sendable {
  let agreement: PairingAgreement
  /// The key that encrypts the link.
  let linkKey: LongTermKey
  /// The PDUs that the peer has not sent, in their order.
  private(set) var expected: ArraySlice<SecurityCode>
  /// The long-term key that this device has sent.
  var ownKey: LongTermKey?
  private var peerKey: LongTermKey?
  private var resolvingKey: [UInt8]?
  private var identity: LinkAddress?
  private(set) var signatureKey: [UInt8]?

  init(_ agreement: PairingAgreement, _ linkKey: LongTermKey) {
    (self.agreement, self.linkKey) = (agreement, linkKey)
    expected = agreement.peerKeys.codes[...]
  }

  /// The kind of the long-term keys.
  var kind: UInt8 { linkKey.kind }

  mutating func take(_ pdu: SecurityPDU) throws(PairingFailure) {
    guard pdu.code == expected.first else { throw .unspecifiedReason }
    expected.removeFirst()
    switch pdu {
    case .encryptionInformation(let value):
      peerKey = agreement.key(value, kind: kind, isOfCentral: true)
    case .centralIdentification(let ediv, let rand):
      peerKey?.ediv = ediv
      peerKey?.rand = rand
    case .identityInformation(let key): resolvingKey = key.contains { $0 != 0 } ? key : nil
    case .identityAddressInformation(let address): identity = address
    case .signingInformation(let key): signatureKey = key
    default: break
    }
  }

  /// What this device keeps; nil: they have not bonded, or have no keys to keep.
  var bond: Bond? {
    let keys = agreement.isSecure ? [linkKey] : [ownKey, peerKey].compactMap { $0 }
    guard agreement.bonds, !keys.isEmpty || resolvingKey != nil else { return nil }
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
