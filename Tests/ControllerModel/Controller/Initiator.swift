import Bluetooth

/// A connection that a host wants to make.
struct Initiator: Sendable {
  enum Target: Sendable {
    case device(LinkAddress)
    /// Any device of the accept list.
    case acceptList
  }

  var target: Target
  var ownAddressType: UInt8
  /// The parameters of the link by primary PHY.
  var parameters: [UInt8: ConnectionParameters]
  /// Whether it hears extended advertising.
  var isExtended: Bool
}
