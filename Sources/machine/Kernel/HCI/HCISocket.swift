import EventLoop
import HCIPackets

/// A socket of one controller that the kernel keeps: it receives the controller's events about links.
///
/// The kernel delivers an event here before it handles the event itself (`hci_rx_work` of net/bluetooth/hci_core.c). So once
/// a channel has begun or ended, ``catchUp()`` finds the event that explains it.
@EventLoop
package final class HCISocket {
  /// A packet with an event: its type, code and length, and at most 255 bytes.
  private static let longestPacket = 3 + 255
  private let socket: PacketSocket

  /// Called with each event.
  package var onEvent: (@EventLoop (HCIEvent) -> Void)?

  /// - Parameter descriptor: A socket in non-blocking mode that keeps the borders of packets.
  package init(adopting descriptor: FileDescriptor) {
    socket = PacketSocket(adopting: descriptor, longest: Self.longestPacket)
    socket.onPacket = { [weak self] in
      if let event = HCIEvent($0) { self?.onEvent?(event) }
    }
    socket.onEnd = { [weak self] _ in self?.close() }
  }

  /// Whether it still receives the controller's events.
  package var isOpen: Bool { socket.isOpen }

  package func close() {
    socket.close()
    onEvent = nil
  }

  /// Reads what has arrived.
  package func catchUp() { socket.catchUp() }
}
