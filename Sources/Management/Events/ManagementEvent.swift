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
    /// Is this the right number? With `isHint`: may this device pair?
    case userConfirmationRequest(LinkAddress, isHint: Bool, value: UInt32)
    case userPasskeyRequest(LinkAddress)
    /// The passkey to show, and how many of its digits have been entered at the peer.
    case passkeyNotify(LinkAddress, passkey: UInt32, entered: UInt8)
    /// Any other event, one that is not as documented, and one about a BR/EDR device.
    case other(code: UInt16, [UInt8])
  }
}
