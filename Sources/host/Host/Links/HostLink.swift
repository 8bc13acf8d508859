import Bluetooth
import Framing
import HCIPackets

/// A link as its host sees it.
package struct HostLink: Hashable, Sendable {
  package let handle: LinkHandle
  /// Whether this side is the central.
  package let isCentral: Bool
  /// The peer's address on the air.
  package let peer: LinkAddress
  /// The address of this side on the air.
  package let local: LinkAddress
  /// The advertising set by which the peer has connected; nil: this side has.
  package let set: UInt8?
  package internal(set) var parameters: ConnectionParameters

  var incoming = FrameAssembler()
  var outgoing = OutgoingFrames()
  var signalling = SignallingChannel()
  var channels = LinkChannels()
  /// Whether the caller decides about what the central asks.
  var isAnsweredByCaller = false
  /// What is measured, until the last part is there.
  var measured = LinkChange()
  /// How many buffers of the controller its packets take up.
  var buffersInUse = 0
  /// Whether frames wait because the controller has no room for them.
  package internal(set) var isCongested = false
  /// When it has ended, whatever the controller says; nil: it goes on. A link that ends sends nothing more.
  var end: Instant?
  var isEnding: Bool { end != nil }

  init(_ link: EstablishedLink, local: LinkAddress, set: UInt8?) {
    (handle, isCentral, peer, parameters) = (link.handle, link.isCentral, link.peer, link.parameters)
    (self.local, self.set) = (local, set)
  }
}
