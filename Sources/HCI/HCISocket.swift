import EventLoop
import Glibc

/// A socket that hears what a controller tells of its links, beside the kernel, and takes commands for it.
///
/// The kernel delivers an event here before it acts on it itself (`hci_rx_work` of net/bluetooth/hci_core.c). So once
/// a channel has begun or ended, ``catchUp()`` finds the event that says why.
@EventLoop
package final class HCISocket {
  /// A packet with an event: its type, code and length, and at most 255 bytes.
  private static let longestPacket = 3 + 255
  /// How many packets one turn of the loop reads, so that a flood does not block other work.
  private static let packetsPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  /// Open until the controller is removed or the socket is closed.
  private var descriptor: FileDescriptor?
  private var buffer = [UInt8](repeating: 0, count: longestPacket)

  /// Called with each event.
  package var onEvent: (@EventLoop (HCIEvent) -> Void)?

  /// - Parameter descriptor: A socket in non-blocking mode that keeps the borders of packets.
  package init(adopting descriptor: FileDescriptor) {
    self.descriptor = descriptor
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in self?.readSome()
    }
  }

  /// Whether it still hears the controller.
  package var isOpen: Bool { descriptor != nil }

  package func close() {
    watch = nil
    descriptor = nil
    onEvent = nil
  }

  /// Sends a command; its outcome is an event. Returns false if the kernel does not take it.
  package func send(_ command: HCICommand) -> Bool {
    guard let descriptor else { return false }
    let packet = command.packet
    return Glibc.write(descriptor.rawValue, packet, packet.count) == packet.count
  }
}

// MARK: In

extension HCISocket {
  /// Reads the events that have arrived.
  package func catchUp() {
    while readOne() {}
  }

  private func readSome() {
    for _ in 0..<Self.packetsPerTurn {
      guard readOne() else { return }
    }
  }

  /// Whether there may be more.
  private func readOne() -> Bool {
    guard let descriptor else { return false }
    let count = buffer.withUnsafeMutableBytes { recv(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
    if count > 0 {
      if let event = HCIEvent(buffer[..<count]) { onEvent?(event) }
      return true
    }
    if count < 0, errno == EINTR { return true }
    if count == 0 || errno != EAGAIN { close() }  // the controller has been removed
    return false
  }
}
