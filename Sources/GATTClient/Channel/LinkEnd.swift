import Glibc

/// Why a link is no more.
package enum LinkEnd: Hashable, Sendable {
  /// We have closed it.
  case closed
  /// The other side has ended it.
  case endedByPeer
  /// The other side takes nothing any more, and too much waits for it.
  case peerDoesNotRead
  /// It did not answer a request in time, after which a link is of no use (Core Specification, Vol 3 Part F 3.3.3).
  case peerDoesNotAnswer
  /// The kernel has given it up; the number is its `errno`.
  case lost(Int32)

  /// What the kernel says with `errno` of a link (`bt_to_errno` of net/bluetooth/lib.c).
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
    case .peerDoesNotRead: "the peripheral takes no more"
    case .peerDoesNotAnswer: "the peripheral has left a request without response"
    case .lost(ETIMEDOUT): "the peripheral has gone out of reach"
    case .lost(ECONNABORTED): "the link was ended on this side: by another program, or with the adapter"
    case .lost(let code): "the link is lost: \(String(cString: strerror(code)))"
    }
  }
}
