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
  var progress = LinkProgress()
  /// Whether frames wait because the controller has no room for them.
  package internal(set) var isCongested = false
  /// When it has ended, whatever the controller says; nil: it goes on. A link that ends sends nothing more.
  var end: Instant?
  var isEnding: Bool { end != nil }
  /// When something is due at it.
  var deadline: Instant? {
    end.earlier(progress.check).earlier(signalling.deadline).earlier(channels.deadline)
  }
  /// Why this side has given it up; nil: it has not.
  var fault: PeerFault?

  init(_ link: EstablishedLink, local: LinkAddress, set: UInt8?) {
    (handle, isCentral, parameters) = (link.handle, link.isCentral, link.parameters)
    peer = link.peerPrivateAddress.map { LinkAddress($0, .random) } ?? link.peer
    (self.local, self.set) = (local, set)
  }
}

/// Why a host ends a link by itself.
package enum PeerFault: Hashable, Sendable {
  /// The controller has not got rid of any packet for ``LinkProgress/patience``.
  case acknowledgesNothing
  /// It asks, and more than ``mostAnswers`` answers wait for it.
  case takesNoAnswers

  /// As many as the requests that may wait for a device.
  package static let mostAnswers = 4096
}

/// Whether the packets of a link leave the controller. Noted for each packet, so only the time is kept, and looked at once in a while.
struct LinkProgress: Hashable {
  static let patience = Duration.seconds(45)

  /// When a packet has left the controller last, or the first one has come into it.
  private var last = Instant()
  /// When to look next; nil: no packet has been sent for long.
  private(set) var check: Instant?

  mutating func note(at now: Instant) {
    last = now
    if check == nil { check = now.advanced(by: Self.patience) }
  }

  /// - Returns: whether packets have been in the controller for too long.
  mutating func isOverdue(_ buffersInUse: Int, at now: Instant) -> Bool {
    guard let check, check <= now else { return false }
    let end = last.advanced(by: Self.patience)
    self.check = buffersInUse > 0 && end > now ? end : nil
    return buffersInUse > 0 && end <= now
  }
}
