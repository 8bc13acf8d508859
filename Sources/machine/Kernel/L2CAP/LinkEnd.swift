import Glibc

/// Why a link has ended.
package enum LinkEnd: Hashable, Sendable {
  /// This program closed it.
  case closed
  /// The peer ended it.
  case endedByPeer
  /// The peer has stopped reading, and too many packets wait for it.
  case peerDoesNotRead
  /// The peer did not respond to a request in time, so the link may not be used any more (Core Specification, Vol 3
  /// Part F 3.3.3).
  case peerDoesNotAnswer
  /// The kernel ended it; the number is its `errno`.
  case lost(Int32)

  /// Reads the `errno` that the kernel reports for a link (`bt_to_errno` of net/bluetooth/lib.c).
  init(errno code: Int32) {
    self = code == ECONNRESET || code == EPIPE ? .endedByPeer : .lost(code)
  }
}

extension LinkEnd: CustomStringConvertible {
  /// What has happened, as a clause: `the peripheral has ended the link`.
  package var description: String {
    switch self {
    case .closed: "the link is closed"
    case .endedByPeer: "the peripheral has ended the link"
    case .peerDoesNotRead: "the peripheral has stopped reading"
    case .peerDoesNotAnswer: "the peripheral did not respond to a request"
    case .lost(ETIMEDOUT): "the peripheral is out of range"
    case .lost(ECONNABORTED): "the link was closed on this side, by another program or with the adapter"
    case .lost(let code): "the link is lost: \(String(cString: strerror(code)))"
    }
  }
}
