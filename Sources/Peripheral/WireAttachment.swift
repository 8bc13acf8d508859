import EventLoop
import Framing

/// What stands at the serial side of a device: a terminal, a program, a person.
@EventLoop
package protocol WireAttachment: AnyObject {
  /// How a person finds it, as in `hm10 -> /dev/pts/5`.
  var label: String { get }
  var host: (any WireHost)? { get set }

  /// Whether bytes are taken from it; while not, they wait on its own side, and whoever writes there waits.
  var isReading: Bool { get set }

  /// The device is on the air: begins what should not begin before. Called once.
  func start()

  /// Hands bytes over; what it cannot take at once is kept in order.
  func write(_ bytes: [UInt8])

  /// The device's own speed is another from now on, bits a second.
  func changeSpeed(to baud: Int)

  /// Hands over what has arrived and was left for a later turn of the loop, if its order with the time matters.
  func catchUp()

  /// Bytes that were handed over and wait for the other side to take them.
  var backlog: Int { get }

  /// Drops what has been put in and was not taken yet.
  ///
  /// - Returns: how many bytes.
  func discard() -> Int

  /// Hands over what can be handed over at once, and lets go.
  func close() async
}

extension WireAttachment {
  package func start() {}

  package func changeSpeed(to baud: Int) {}

  package func catchUp() {}

  package var backlog: Int { 0 }
}

/// Who is at the other side of a wire.
@EventLoop
package protocol WireHost: AnyObject {
  func receiveFromWire(_ bytes: [UInt8])
  /// Bytes that a line has brought without a pause, the first and the last at these times. They may be long past: what
  /// was said on the line does not depend on when the program gets round to it.
  func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>)
  /// Something about the wire that a person should know.
  func warn(_ message: String)
  /// Something happened to what stands there.
  func report(_ event: WireEvent)
  /// ``WireAttachment/backlog`` has become less.
  func wireTookBytes()
}

extension WireHost {
  package func receiveFromWire(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    receiveFromWire(bytes)
  }

  package func wireTookBytes() {}
}

/// What happens to an attachment, besides bytes.
package enum WireEvent: Hashable, Sendable {
  /// Somebody is there; with a name where that is known, as `127.0.0.1:51234`.
  case opened(by: String?)
  case closed(by: String?)
  /// Somebody came while another was there, and was sent away.
  case refused(String)
  /// The other side has set its speed, bits a second.
  case baudRate(Int)
  case started(program: String, process: Int32)
  /// A program has ended, and starts again after this time; nil: it does not.
  case ended(program: String, ProgramEnd, restart: Duration?)
  /// A line of a program's standard error.
  case said(program: String, String)
}

/// How a program came to its end.
package enum ProgramEnd: Hashable, Sendable {
  case status(Int32)
  case signal(Int32)
}
