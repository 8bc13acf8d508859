import Bluetooth

/// What a ``SecurityManager`` has to know of its link.
package struct SecuredLink: Hashable, Sendable {
  package enum Role: Hashable, Sendable {
    case central, peripheral
  }

  /// This device's role.
  package var role: Role
  /// The address with which this device began the link, private or not.
  package var ownAddress: LinkAddress
  /// The address with which the peer began the link.
  package var peerAddress: LinkAddress
  /// The address by which this device knows the peer.
  package var peerIdentity: LinkAddress
  /// What this device tells bonded peers of itself.
  package var identity: Identity

  /// - Parameter peerIdentity: nil: the device does not know the peer by another address.
  package init(
    role: Role, ownAddress: LinkAddress, peerAddress: LinkAddress, peerIdentity: LinkAddress? = nil,
    identity: Identity
  ) {
    (self.role, self.ownAddress, self.peerAddress) = (role, ownAddress, peerAddress)
    (self.peerIdentity, self.identity) = (peerIdentity ?? peerAddress, identity)
  }

  /// How a device is known on later links (Core Specification, Vol 3 Part H 2.4.2).
  package struct Identity: Hashable, Sendable {
    /// A public or static random address.
    package var address: LinkAddress
    /// 16 bytes; nil: its address is not private, and it sends neither key nor address.
    package var resolvingKey: [UInt8]?
    /// The connection signature resolving key, 16 bytes; nil: it sends none, and asks for none.
    package var signatureKey: [UInt8]?

    package init(address: LinkAddress, resolvingKey: [UInt8]? = nil, signatureKey: [UInt8]? = nil) {
      (self.address, self.resolvingKey, self.signatureKey) = (address, resolvingKey, signatureKey)
    }
  }
}

extension SecuredLink {
  var addresses: PairingAddresses {
    role == .central
      ? PairingAddresses(central: ownAddress, peripheral: peerAddress)
      : PairingAddresses(central: peerAddress, peripheral: ownAddress)
  }
}
