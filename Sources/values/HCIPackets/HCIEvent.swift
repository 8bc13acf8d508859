import Bluetooth
import Framing

/// The number that a controller gave to a link.
package typealias LinkHandle = UInt16

/// The events and data of a controller (Core Specification, Vol 4 Part E 7.7), and the commands that others give it.
package enum HCIEvent: Hashable, Sendable {
  /// A link has begun. The kernel may know the peer by another address: one from which this one is resolved.
  case connected(EstablishedLink)
  /// A link has not begun: it was cancelled, or the time of directed advertising is over.
  case connectionFailed(HCIError)
  case disconnected(LinkHandle, HCIError)
  /// Encryption has begun or ended, or its key is a new one.
  case encryptionChanged(LinkHandle, isEncrypted: Bool)
  case encryptionFailed(LinkHandle, HCIError)
  case parametersChanged(LinkHandle, ConnectionParameters)
  /// The parameters that this side asked for are not used.
  case parametersRefused(LinkHandle, HCIError)
  case physChanged(LinkHandle, Directions<PHY>)
  case packetSizesChanged(LinkHandle, Directions<UInt16>)
  /// The peer asks for other parameters.
  case parametersRequested(LinkHandle, PreferredConnectionParameters)
  /// The central encrypts the link. Rand has 8 bytes, the least significant first.
  case longTermKeyRequested(LinkHandle, rand: [UInt8], diversifier: UInt16)
  /// An advertising set no longer advertises: because of a link, if there is no error.
  case advertisingSetEnded(handle: UInt8, Ending)
  /// The other side wants to pair: a Pairing Request of the Security Manager, which the kernel answers.
  case pairingRequested(LinkHandle, bySecureConnections: Bool)
  /// The kernel or another program gave a command.
  case given(HCICommand)
  /// A command has been carried out. The return parameters begin with a status.
  case completed(HCIOpcode, returnParameters: [UInt8])
  /// A command has begun, or was refused.
  case begun(HCIOpcode, HCIError?)
  /// The controller has failed (7.7.16), with a number of its maker.
  case hardwareFailed(UInt8)
  /// Any other event, and one that is not as specified.
  case other(code: UInt8)

  /// Why an advertising set has ended.
  package enum Ending: Hashable, Sendable {
    case link(LinkHandle)
    case error(HCIError)
  }
}

/// A new link, as LE Connection Complete and its successors describe it (Vol 4 Part E 7.7.65.1, 7.7.65.10).
package struct EstablishedLink: Hashable, Sendable {
  package var handle: LinkHandle
  /// Whether this side is the central.
  package var isCentral: Bool
  package var peer: LinkAddress
  /// The resolvable private address that the peer used, if the controller has resolved it: ``peer`` is its identity address.
  package var peerPrivateAddress: DeviceAddress?
  /// The resolvable private address that this side used; nil: another kind, or the controller has not reported it.
  package var localPrivateAddress: DeviceAddress?
  package var parameters: ConnectionParameters

  package init(
    _ handle: LinkHandle, isCentral: Bool, peer: LinkAddress, peerPrivateAddress: DeviceAddress? = nil,
    localPrivateAddress: DeviceAddress? = nil, parameters: ConnectionParameters
  ) {
    self.peerPrivateAddress = peerPrivateAddress
    (self.handle, self.isCentral, self.peer) = (handle, isCentral, peer)
    (self.localPrivateAddress, self.parameters) = (localPrivateAddress, parameters)
  }
}

extension HCIEvent {
  /// The link whose central wants to encrypt it with a key that this machine does not have: the kernel has given the controller
  /// LE Long Term Key Request Negative Reply (Vol 4 Part E 7.8.25). A program without `CAP_NET_RAW` learns only that this was done.
  package var linkWithoutKey: LinkHandle? {
    switch self {
    case .given(let command) where command.opcode == .refuseLongTermKey:
      var fields = ByteReader(command.parameters)
      return fields.handle()
    case .completed(.refuseLongTermKey, let parameters):
      var fields = ByteReader(parameters)
      return fields.byte() == 0 ? fields.handle() : nil
    default: return nil
    }
  }
}
