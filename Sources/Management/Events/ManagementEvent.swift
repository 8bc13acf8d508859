import Bluetooth

/// What the kernel reports about a controller (bluez: doc/mgmt-api.txt, Events).
package struct ManagementEvent: Hashable, Sendable {
  /// 0xFFFF for an event that is not about one controller.
  package var controller: UInt16
  package var kind: Kind

  package init(controller: UInt16, kind: Kind) {
    self.controller = controller
    self.kind = kind
  }
}

extension ManagementEvent {
  package enum Kind: Hashable, Sendable {
    case controllerAdded
    case controllerRemoved
    case newSettings(ControllerSettings)
    case deviceConnected(LinkAddress)
    case deviceDisconnected(LinkAddress, DisconnectReason)
    /// Another program has added an instance; a socket hears nothing of its own.
    case advertisingAdded(UInt8)
    /// An instance has expired, or another program has removed it.
    case advertisingRemoved(UInt8)
    /// Is this the right number? With `isHint`: may this device pair?
    case userConfirmationRequest(LinkAddress, isHint: Bool, value: UInt32)
    case userPasskeyRequest(LinkAddress)
    /// The passkey to show, and how many of its digits have been entered at the peer.
    case passkeyNotify(LinkAddress, passkey: UInt32, entered: UInt8)
    case authenticationFailed(LinkAddress, ManagementStatus)
    /// Pairing has succeeded, with this key.
    case newLongTermKey(PairingKey<LongTermKey>)
    /// A device has given its identity: before the pairing, the link had the address `resolved`; nil: the same.
    case newIdentityResolvingKey(PairingKey<[UInt8]>, resolved: LinkAddress?)
    /// Any other event, one that is not as documented, and one about a BR/EDR device.
    case other(code: UInt16, [UInt8])
  }
}

/// A key that has come about in a pairing.
package struct PairingKey<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The identity address of the peer, if it has given it.
  package var peer: LinkAddress
  package var key: Key
  /// Whether both sides want to keep it for later links.
  package var isKept: Bool

  package init(of peer: LinkAddress, _ key: Key, isKept: Bool) {
    (self.peer, self.key, self.isKept) = (peer, key, isKept)
  }
}
