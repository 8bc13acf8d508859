import EventLoop

/// What stands at the serial side of a device: a terminal, a program, a person.
@EventLoop
package protocol WireAttachment: AnyObject {
  /// How a person finds it, as in `hm10 -> /dev/pts/5`.
  var label: String { get }
  var host: (any WireHost)? { get set }

  /// Whether bytes are taken from it; while not, they wait on its own side, and whoever writes there waits.
  var isReading: Bool { get set }

  /// Hands bytes over; what it cannot take at once is kept in order.
  func write(_ bytes: [UInt8])

  /// Hands over what can be handed over at once, and lets go.
  func close()
}

/// Who is at the other side of a wire.
@EventLoop
package protocol WireHost: AnyObject {
  func receiveFromWire(_ bytes: [UInt8])
  /// Something about the wire that a person should know.
  func warn(_ message: String)
}
