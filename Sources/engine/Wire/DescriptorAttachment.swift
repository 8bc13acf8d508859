import EventLoop
import Peripheral

/// An attachment that passes its bytes through a ``DescriptorStream``.
@EventLoop
protocol DescriptorAttachment: WireAttachment {
  var port: DescriptorStream { get }
}

extension DescriptorAttachment {
  package var host: (any WireHost)? {
    get { port.host }
    set { port.host = newValue }
  }

  package var isReading: Bool {
    get { port.isReading }
    set { port.isReading = newValue }
  }

  package func write(_ bytes: [UInt8]) { port.write(bytes) }

  package var backlog: Int { port.backlog }

  package func discard() -> Int { port.discard() }
}

/// The reason why an attachment cannot be created.
package struct WireError: Error, Hashable, Sendable {
  package var message: String
  package var hint: String
}
