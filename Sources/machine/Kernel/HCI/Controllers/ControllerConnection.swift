import EventLoop
import Glibc
import HCIPackets

/// Carries whole HCI packets, each with its type, between this program and a controller that it has for itself.
@EventLoop
package final class ControllerConnection {
  /// How the other end is told where a packet ends.
  package enum Borders {
    /// By the packet itself (H4): the descriptor is a stream.
    case inStream
    /// By the kernel: each read and each write is one packet.
    case ofKernel
  }

  /// How many packets of the kernel one turn of the loop reads, so that a flood does not block other work.
  private static let packetsPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  private var descriptor: FileDescriptor?
  private let borders: Borders
  private var stream: H4Stream
  /// What the descriptor has not taken yet.
  private var waiting: [UInt8] = []

  package let place: ControllerPlace

  /// Called with each packet, which begins with its type. Keep no slice of it: copy what lasts. The connection reads from the
  /// moment this is set.
  package var onPacket: (@EventLoop (ArraySlice<UInt8>) -> Void)? { didSet { startReading() } }
  /// Called once when the connection has ended; not after ``close()``.
  package var onEnd: (@EventLoop (ControllerFinding) -> Void)?

  /// Called when bytes have come that are no packet. Returns whether a Reset will be sent at once: everything before its answer is
  /// skipped. Otherwise the connection ends.
  package var onDisorder: (@EventLoop (ControllerFinding) -> Bool)?

  /// - Parameter descriptor: in non-blocking mode.
  package init(
    adopting descriptor: FileDescriptor, of place: ControllerPlace, _ borders: Borders = .inStream,
    beginsWithReset: Bool = false
  ) {
    (self.descriptor, self.place, self.borders) = (descriptor, place, borders)
    stream = H4Stream(beginsWithReset: beginsWithReset)
  }

  private func startReading() {
    guard onPacket != nil, watch == nil, let descriptor else { return }
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] in self?.resume($0) }
    if !waiting.isEmpty { watch?.interests = .readableOrWritable }
  }

  package var isOpen: Bool { descriptor != nil }

  /// A byte that came in place of the answer to the first command, Reset; nil: none. If the controller does not answer, it is why.
  package var firstWrongByte: UInt8? { stream.firstSkippedByte }

  /// Closes the connection. An adapter returns to the kernel.
  package func close() {
    if case .uart = place, let descriptor { Self.share(descriptor) }
    (watch, descriptor) = (nil, nil)
    (onPacket, onEnd, onDisorder) = (nil, nil, nil)
    waiting = []
  }

  private func end(_ finding: ControllerFinding) {
    let onEnd = onEnd
    close()
    onEnd?(finding)
  }

  private func resume(_ ready: EventLoop.Readiness) {
    if ready.contains(.writable) { writeWaiting() }
    if isOpen, ready != .writable { read() }
  }
}

// MARK: Reading

extension ControllerConnection {
  private func read() {
    switch borders {
    case .inStream: readStream()
    case .ofKernel: readPackets()
    }
  }

  /// Reads once: what does not fit into the buffer keeps the descriptor readable.
  private func readStream() {
    guard readOnce() > 0 else { return }
    do throws(H4Stream.Failure) { try passPackets() } catch {
      let finding: ControllerFinding =
        switch error {
        case .unknownType(let byte): .notHCI(place, firstWrongByte: byte)
        case .tooLong(let length): .packetTooLong(place, length: length)
        }
      guard onDisorder?(finding) == true else { return end(finding) }
      stream.beginAnew()
      try? passPackets()  // skips the rest
    }
  }

  private func passPackets() throws(H4Stream.Failure) {
    guard let onPacket else { return }
    while isOpen, let packet = try stream.next() { onPacket(packet) }
  }

  private func readPackets() {
    for _ in 0..<Self.packetsPerTurn {
      guard isOpen, readOnce() > 0 else { return }
      onPacket?(stream.takeAll())
    }
  }

  /// How many bytes have been read; 0: none, or the connection has ended.
  private func readOnce() -> Int {
    guard let descriptor else { return 0 }
    let count = stream.fill { Glibc.read(descriptor.rawValue, $0.baseAddress, $0.count) }
    guard count <= 0 else { return count }
    let code = count < 0 ? errno : 0
    if code != EAGAIN && code != EINTR { endFailed(code) }
    return 0
  }

  /// - Parameter code: `errno`, or 0 for the end of the stream.
  private func endFailed(_ code: Int32) {
    switch code {
    // A terminal has hung up, the other end has gone, or the kernel has removed the adapter.
    case 0, EIO, ECONNRESET, EPIPE, ENODEV, ENXIO, ENETDOWN, EBADFD: end(.gone(place))
    default: end(.failed(place, reason: String(cString: strerror(code))))
    }
  }
}

// MARK: Writing

extension ControllerConnection {
  /// Sends whole packets, one after the other, each with its type. A stream takes all of them with one call of the kernel.
  ///
  /// What the controller does not take yet waits. The host's flow control limits how much that is.
  package func send(_ packets: Span<UInt8>) {
    packets.withUnsafeBytes { bytes in
      let (taken, code) = waiting.isEmpty ? write(bytes) : (0, nil)
      if let code { return endFailed(code) }
      guard isOpen, taken < bytes.count else { return }
      waiting += bytes[taken...]
      watch?.interests = .readableOrWritable
    }
  }

  private func writeWaiting() {
    let (taken, code) = waiting.withUnsafeBytes(write)
    if let code { return endFailed(code) }
    waiting.removeFirst(taken)
    if waiting.isEmpty { watch?.interests = .readable }
  }

  /// How many bytes the descriptor has taken, and the `errno` that ends the connection.
  private func write(_ bytes: UnsafeRawBufferPointer) -> (taken: Int, code: Int32?) {
    var taken = 0
    while taken < bytes.count, let descriptor {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
      let count = Glibc.write(descriptor.rawValue, rest.baseAddress, lengthOfWrite(rest))
      if count >= 0 {
        taken += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return (taken, errno)
      }
    }
    return (taken, nil)
  }

  private func lengthOfWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch borders {
    case .inStream: bytes.count
    case .ofKernel: min(bytes.count, H4PacketType.lengthOfFirstPacket(in: bytes) ?? bytes.count)
    }
  }
}
