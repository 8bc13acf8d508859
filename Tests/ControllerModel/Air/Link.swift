import Bluetooth
import Framing

/// What both ends of a link share.
struct Link: Sendable {
  struct Place: Sendable {
    var controller: Int
    var handle: UInt16
  }

  let number: Int
  let central: Place
  let peripheral: Place
  /// The connection event that comes next.
  var nextEvent: Instant
  /// Its number.
  var counter = 0
  /// Whether there was a connection event.
  var isEstablished = false
  /// Since when the ends have not heard each other.
  var silentSince: Instant?
  /// What takes effect at a connection event.
  var changes: [(counter: Int, change: Change)] = []

  enum Change: Sendable {
    case parameters(ConnectionParameters)
    /// From the central's view.
    case phys(Directions<UInt8>)
  }

  subscript(_ role: LinkEnd.Role) -> Place { role == .central ? central : peripheral }
}

extension ConnectionParameters {
  var intervalTime: Int64 { Int64(interval) * 1250 }
  var timeoutTime: Int64 { Int64(supervisionTimeout) * 10_000 }
}
