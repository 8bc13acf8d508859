import Bluetooth

/// The number that a controller has given to a link.
package typealias LinkHandle = UInt16

/// What a controller tells of its LE links (Core Specification, Vol 4 Part E 7.7).
package enum HCIEvent: Hashable, Sendable {
  /// A link has begun. The kernel may know the peer by another address: one from which this one is resolved.
  case connected(LinkHandle, LinkAddress, ConnectionParameters)
  case disconnected(LinkHandle, HCIError)
  /// Encryption has begun or ended, or its key is a new one.
  case encryptionChanged(LinkHandle, isEncrypted: Bool)
  case encryptionFailed(LinkHandle, HCIError)
  case parametersChanged(LinkHandle, ConnectionParameters)
  /// The other parameters that this side has asked for are not used.
  case parametersRefused(LinkHandle, HCIError)
  case physChanged(LinkHandle, Directions<PHY>)
  case packetSizesChanged(LinkHandle, Directions<UInt16>)
  /// A command has been carried out.
  case completed(HCICommand.Opcode, returnParameters: [UInt8])
  /// A command has begun, or was refused.
  case begun(HCICommand.Opcode, HCIError?)
  /// Any other event, and one that is not as specified.
  case other(code: UInt8)
}
