import Glibc

/// A socket that keeps the borders of packets: reads each packet as it comes, and sends.
@EventLoop
package final class PacketSocket {
  /// How many packets one turn of the loop reads, so that a flood does not block other work.
  private static let packetsPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  /// Open until the socket ends or is closed.
  package private(set) var descriptor: FileDescriptor?
  private var buffer: [UInt8]

  /// Called with each packet.
  package var onPacket: (@EventLoop (ArraySlice<UInt8>) -> Void)?
  /// Called once when the kernel has closed the socket (nil) or an error has ended it (`errno`); not after ``close()``.
  package var onEnd: (@EventLoop (Int32?) -> Void)?

  /// - Parameters:
  ///   - descriptor: A socket in non-blocking mode.
  ///   - longest: The size of the longest packet; the rest of a longer one is lost.
  package init(adopting descriptor: FileDescriptor, longest: Int) {
    self.descriptor = descriptor
    buffer = [UInt8](repeating: 0, count: longest)
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in self?.readSome()
    }
  }

  package var isOpen: Bool { descriptor != nil }

  package func close() {
    (watch, descriptor) = (nil, nil)
    (onPacket, onEnd) = (nil, nil)
  }

  /// Sends a packet.
  ///
  /// - Returns: the error of the kernel, which has not taken it; nil: it has. A socket that is closed has `EBADF`.
  package func send(_ packet: [UInt8]) -> Int32? {
    guard let descriptor else { return EBADF }
    while Glibc.send(descriptor.rawValue, packet, packet.count, Int32(MSG_NOSIGNAL)) < 0 {
      guard errno == EINTR else { return errno }
    }
    return nil
  }

  /// Reads all that has arrived.
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
    let code = errno
    if count > 0 {
      onPacket?(buffer[..<count])
    } else if count < 0 {
      if code == EAGAIN { return false }
      if code != EINTR { end(code) }
    } else if descriptor.hasHungUp {
      end(nil)
    }
    return true
  }

  private func end(_ code: Int32?) {
    let onEnd = onEnd
    close()
    onEnd?(code)
  }
}

extension FileDescriptor {
  /// Whether the other end is closed or this one is broken.
  package var hasHungUp: Bool {
    var poll = pollfd(fd: rawValue, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) == 1
  }
}
