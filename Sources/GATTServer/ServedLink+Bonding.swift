import Behavior
import Bluetooth

extension ServedLink {
  /// What the bond with the central means to a link.
  enum Bonding: Hashable {
    /// The central is not bonded.
    case none
    /// The link has not shown yet that it has the central's key.
    case awaitsEncryption
    case isInForce
  }
}
