import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// The connections of a transport to centrals: their beginnings and ends, their flow, pairing and bonds.
@EventLoop
package protocol TransportConnections: AnyObject {
  /// Begins to report connections and disconnections, including the connections since the device went on the air.
  /// Returns when those have been reported.
  func watchCentrals() async

  /// The ATT_MTU of the link to a central, bytes; nil if the transport does not know it.
  func mtu(of central: Central) -> Int?

  /// Whether the link to a central is encrypted; nil if the transport does not know.
  func isEncrypted(_ central: Central) -> Bool?

  /// The Long Term Key of the bond with a central whose link is encrypted, 16 bytes, most significant first; empty: there is none;
  /// nil: the transport does not know.
  func longTermKey(of central: Central) -> [UInt8]?

  /// Whether ``TransportHost/congestionChanged(_:of:)`` tells that the controller has no room for more values. Otherwise they pile
  /// up in the system, where nobody sees how many.
  var hasFlowControl: Bool { get }

  /// Delays the responses to write requests, if the transport can, while the device cannot keep up.
  func holdResponses(_ isHolding: Bool)

  /// Whether a central is pairing: the device does not change its addresses meanwhile (Vol 3 Part C 10.7.1.1).
  var isPairing: Bool { get }

  /// Pairs in this way from now on; nil: as the system is set up. A pairing that has begun continues in the old way.
  func pair(_ policy: PairingPolicy?)

  /// The centrals that the device is bonded with, by their identity addresses; nil: the transport does not know them.
  var bondedCentrals: [Central]? { get }

  /// Forgets the bond with a central, connected or not, or all bonds (nil): keys and subscriptions. A link that is encrypted stays
  /// so. The transport gives the host the rest of the bonds, or warns it if it cannot forget.
  func forget(_ central: Central?)

  /// Ends the connection of a central, or of all (nil), for a reason that the central gets if the transport can give one,
  /// and then reports the disconnection as usual.
  func disconnect(_ central: Central?, _ reason: HCIError)

  /// Ends the connection of a central, or of all (nil), without a goodbye, and then reports the disconnection. A transport that cannot
  /// do that disconnects.
  func loseLink(of central: Central?)

  /// Asks a central, or all (nil), for another PHY or for longer packets, if the transport can. What follows is reported as usual.
  func ask(for change: LinkChange, of central: Central?)

  /// Moves the device on a virtual radio. All devices on its controller move with it.
  ///
  /// - Returns: whether that is possible. If not, everything stays as it is.
  func move(to path: RadioPath) -> Bool
}

extension BaseTransport {
  package func isEncrypted(_ central: Central) -> Bool? { nil }

  package func longTermKey(of central: Central) -> [UInt8]? { nil }

  package var hasFlowControl: Bool { false }

  package func holdResponses(_ isHolding: Bool) {}

  package var isPairing: Bool { false }

  package func pair(_ policy: PairingPolicy?) {}

  package var bondedCentrals: [Central]? { nil }

  package func forget(_ central: Central?) {}

  package func loseLink(of central: Central?) { disconnect(central, .remoteUserTerminated) }

  package func ask(for change: LinkChange, of central: Central?) {}

  package func move(to path: RadioPath) -> Bool { false }
}
