import Behavior
import EventLoop
import Framing

/// An attachment of the wire side: a terminal, a program, a socket.
@EventLoop
package protocol WireAttachment: AnyObject {
  /// The name in the log, as in `hm10 -> /dev/pts/5`.
  var label: String { get }
  var host: (any WireHost)? { get set }

  /// Whether the device reads. Otherwise bytes wait at the attachment, and their writer blocks.
  var isReading: Bool { get set }

  /// Called once when the device is on the air.
  func start()

  /// Writes bytes. Those that cannot be written at once wait in order.
  func write(_ bytes: [UInt8])

  /// Takes a new speed of the device, bits per second.
  func changeSpeed(to baud: Int)

  /// Delivers bytes that have arrived but wait for a later turn of the loop, if their order relative to timers matters.
  func catchUp()

  /// The number of written bytes that the other side has not read.
  var backlog: Int { get }

  /// Drops bytes that have arrived unread.
  ///
  /// - Returns: the number of dropped bytes.
  func discard() -> Int

  /// Writes what can be written at once, and closes.
  func close() async
}

extension WireAttachment {
  package func start() {}

  package func changeSpeed(to baud: Int) {}

  package func catchUp() {}

  package var backlog: Int { 0 }
}

/// The owner of an attachment: receives its bytes and events.
@EventLoop
package protocol WireHost: AnyObject {
  func receiveFromWire(_ bytes: [UInt8])
  /// Receives bytes that arrived on a line without a pause, the first and the last at these times. The times may be in
  /// the past if the program is late.
  func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>)
  /// Reports a problem of the wire side.
  func warn(_ message: String)
  /// Reports an event of the attachment.
  func report(_ event: WireEvent)
  /// Called when ``WireAttachment/backlog`` has decreased.
  func wireTookBytes()
}

extension WireHost {
  package func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    receiveFromWire(bytes)
  }

  package func wireTookBytes() {}
}
