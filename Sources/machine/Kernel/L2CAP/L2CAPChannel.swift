import EventLoop
import Glibc

/// A socket that carries whole packets in order, both ways: an L2CAP channel of the kernel, or in tests one end of
/// a `socketpair` of type `SOCK_SEQPACKET`.
@EventLoop
package final class L2CAPChannel {
  /// How many packets may wait by default while the peer does not read.
  static let capacity = 1024
  /// The longest packet; on a fixed channel the kernel takes at most 672 bytes.
  private static let longestPacket = 1024
  /// How many packets one turn of the loop reads, so that a flood does not block other work.
  private static let packetsPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  /// Open until the channel ends.
  private var descriptor: FileDescriptor?
  private let capacity: Int
  private var waiting: ArraySlice<[UInt8]> = []
  private var flushes: [CheckedContinuation<Bool, Never>] = []
  private var buffer = [UInt8](repeating: 0, count: longestPacket)
  /// Why the socket has ended; it may still hold earlier packets.
  private var announcedEnd: LinkEnd?

  /// Why the channel has ended; nil: it is open.
  package private(set) var end: LinkEnd?
  /// Called with each packet; the channel reads from the moment this is set.
  package var onReceive: (@EventLoop ([UInt8]) -> Void)? {
    didSet { startReading() }
  }
  /// Called when the kernel has taken all packets that had to wait.
  package var onEmpty: (@EventLoop () -> Void)?
  /// Called once at the end, after the last packet; not after ``close()``.
  package var onEnd: (@EventLoop (LinkEnd) -> Void)?

  /// - Parameters:
  ///   - descriptor: A connected socket of type `SOCK_SEQPACKET` in non-blocking mode.
  ///   - capacity: How many packets may wait while the peer does not read; with one more, the channel ends.
  package init(adopting descriptor: FileDescriptor, capacity: Int = capacity) {
    self.descriptor = descriptor
    self.capacity = capacity
  }

  /// Closes the channel at once and drops waiting packets.
  package func close() { finish(.closed) }

  private func finish(_ reason: LinkEnd) {
    guard end == nil else { return }
    end = reason
    watch = nil
    descriptor = nil
    waiting = []
    resumeFlushes(taken: false)
    let callback = onEnd
    onEnd = nil
    onEmpty = nil
    onReceive = nil
    if reason != .closed { callback?(reason) }
  }
}

// MARK: Out

extension L2CAPChannel {
  /// Sends a packet; packets that the kernel does not take at once wait in order.
  package func send(_ packet: [UInt8]) {
    guard end == nil else { return }
    guard waiting.isEmpty, sendNow(packet) else { return wait(packet) }
  }

  /// Whether packets wait for the kernel.
  package var isCongested: Bool { !waiting.isEmpty }

  /// Waits until the kernel has taken all packets. Returns false if the channel has ended before; a packet that it has taken may
  /// also end it, as soon as the peer reads the packet.
  package func flush() async -> Bool {
    if waiting.isEmpty { return end == nil }
    return await withCheckedContinuation { flushes.append($0) }
  }

  private func wait(_ packet: [UInt8]) {
    guard end == nil else { return }
    guard waiting.count < capacity else { return finish(.peerDoesNotRead) }
    waiting.append(packet)
    updateInterests()
  }

  private func sendWaiting() {
    let slice = EventLoop.Slice()
    while let packet = waiting.first, sendNow(packet) {
      waiting.removeFirst()
      if slice.isOver { break }
    }
    updateInterests()
    guard waiting.isEmpty else { return }
    waiting = []  // an empty slice would keep its memory
    resumeFlushes(taken: true)
    onEmpty?()
  }

  private func resumeFlushes(taken: Bool) {
    let flushes = flushes
    self.flushes = []
    for flush in flushes { flush.resume(returning: taken) }
  }

  /// Whether nothing is left to do for the packet: it has been sent, or never can be.
  private func sendNow(_ packet: [UInt8]) -> Bool {
    guard let descriptor else { return true }
    let count = packet.withUnsafeBytes {
      Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return true }
    switch errno {
    case EAGAIN, EINTR, ENOBUFS: return false
    default:
      note(errno)
      return true  // the link ends after all received packets have been read
    }
  }
}

// MARK: In

extension L2CAPChannel {
  private func startReading() {
    guard onReceive != nil, watch == nil, let descriptor else { return }
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] in self?.isReady($0)
    }
    updateInterests()
  }

  private func updateInterests() {
    if watch == nil { return }
    watch?.interests = waiting.isEmpty ? .readable : .readableOrWritable
  }

  private func isReady(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { sendWaiting() }
    if readiness != .writable { readSome(hasEnded: readiness.hasEnded) }
  }

  /// - Parameter hasEnded: whether the kernel says that there is no link any more.
  ///
  /// A packet that the loop has slept for usually comes alone. The next turn of the loop looks for others, which costs less than
  /// to ask the kernel once more each time.
  private func readSome(hasEnded: Bool) {
    for _ in 0..<(EventLoop.hasSlept ? 1 : Self.packetsPerTurn) {
      guard readOne(hasEnded) else { return }
    }
  }

  /// Whether there may be more.
  ///
  /// The kernel reports why a link has ended before it returns the packets from before (`__skb_try_recv_datagram`),
  /// so the channel ends only when no packet is left.
  private func readOne(_ hasEnded: Bool) -> Bool {
    guard let descriptor else { return false }
    let count = buffer.withUnsafeMutableBytes { recv(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
    let code = errno
    if count > 0 {
      onReceive?(Array(buffer[..<count]))
    } else if count < 0, code != EAGAIN {
      if code != EINTR { note(code) }
    } else if announcedEnd != nil || hasEnded || (count == 0 && descriptor.hasHungUp) {
      finish(announcedEnd ?? .endedByPeer)
    } else {
      return count == 0  // a packet without bytes
    }
    return true
  }

  private func note(_ code: Int32) {
    if announcedEnd == nil { announcedEnd = LinkEnd(errno: code) }
  }
}
