import EventLoop
import Peripheral
import Wire

/// The attachment of a device's wire side.
package enum WireSide: Hashable, Sendable {
  case none
  case pseudoTerminal(String)
  case program([String], RestartPolicy)
  case tcp(SocketPlace)
  case serialDevice(String, baud: Int?)
  case standardStreams
}

extension WireSide {
  /// Whether the attachment has a speed of its own.
  package var isLine: Bool { if case .serialDevice = self { true } else { false } }

  /// - Parameter baud: the speed of the device's UART, bits per second.
  @EventLoop
  package func attachment(baud: Int?) throws(WireError) -> (any WireAttachment)? {
    switch self {
    case .none: nil
    case .pseudoTerminal(let path): try PseudoTerminal(linkedAt: path)
    case .program(let words, let restart): try ProgramAttachment(words, restart: restart)
    case .tcp(let place): try TCPAttachment(at: place)
    case .serialDevice(let path, let speed):
      try SerialDevice(path, baud: speed ?? baud ?? 9600, keepsSpeed: speed != nil)
    case .standardStreams: try StandardStreams()
    }
  }
}
