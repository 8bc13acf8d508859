import Bluetooth

/// A link that this side wants to begin, as its central (Core Specification, Vol 4 Part E 7.8.12, 7.8.66).
package struct ConnectionRequest: Hashable, Sendable {
  package enum Peer: Hashable, Sendable {
    case device(LinkAddress)
    /// The first that advertises of those of the accept list.
    case acceptList
  }

  package var peer: Peer
  /// Of the link.
  package var parameters: PreferredConnectionParameters
  /// A random address of this side; nil: the controller's public one.
  package var address: DeviceAddress?
  /// When the controller listens for the peer, in units of 0.625 ms.
  package var scanInterval: UInt16 = 0x60
  package var scanWindow: UInt16 = 0x60
  /// Where it listens: LE 1M, LE Coded or both. With LE 2M, a link may begin there.
  package var phys: PHYs = .le1M

  package init(_ peer: Peer, parameters: PreferredConnectionParameters) {
    (self.peer, self.parameters) = (peer, parameters)
  }
}
