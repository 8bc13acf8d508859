import Bluetooth

/// The channel of a link as this side names it (Core Specification, Vol 3 Part A 2.1): 0x0040 to 0x007F.
package typealias ChannelIdentifier = UInt16

/// What happens to a credit-based channel.
package enum ChannelEvent: Hashable, Sendable {
  /// - Parameter mtu: the most bytes of an SDU that the peer takes.
  case opened(spsm: UInt16, mtu: Int)
  /// The peer has not opened the channel that this side asked for.
  case refused(ChannelRefusal)
  /// This side has not opened a channel that the peer asked for, and that a device offers.
  case denied(spsm: UInt16, ChannelResult)
  /// A whole SDU.
  case received([UInt8])
  /// SDUs waited for credits or for the controller, and none waits any more.
  case drained
  /// - Parameter unsent: how many bytes of SDUs still waited.
  case closed(ChannelEnd, unsent: Int)
}

/// Why a channel has closed.
package enum ChannelEnd: Hashable, Sendable {
  case byPeer
  case byThisSide
  /// The link has ended.
  case link
  /// This side has closed it, because the peer has broken a rule.
  case violation(ChannelViolation)
}

/// What a peer has done that the specification answers with the end of the channel (Vol 3 Part A 3.4.3 and 4.24).
package enum ChannelViolation: Error, Hashable, Sendable {
  /// A K-frame without a credit.
  case noCredit
  /// A K-frame with more bytes than the MPS of this side.
  case frameTooLong
  /// The first K-frame of an SDU without its length.
  case noLength
  /// An SDU with more bytes than the MTU of this side.
  case sduTooLong
  /// K-frames with more bytes than their SDU.
  case tooManyBytes
  /// More than 65,535 credits.
  case tooManyCredits
}
