import EventLoop
import Glibc
import Peripheral

/// Bytes in and out of a pair of file descriptors, for attachments that are nothing more.
///
/// The descriptors may go and others may come in their place. What the other side does not take, or what nobody
/// is there for, waits here, up to ``capacity`` bytes; more than that is dropped, and said.
@EventLoop
final class DescriptorStream {
  static let capacity = 1 << 20
  /// The most that ``discard()`` drops: as much as pipes, terminals and our sockets hold.
  static let discardLimit = 1 << 16

  weak var host: (any WireHost)?
  private let name: String
  private var ends: Ends?
  private var reading: EventLoop.DescriptorWatch?
  private var hangUp: EventLoop.DescriptorWatch?
  /// What waits while there are no descriptors.
  private var kept: [UInt8] = []
  private var hasOverflowed = false
  private var isBroken = false
  private var hasEnded = false
  private var hungUpUnread = false
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// Called when the input has ended.
  var onEnd: (() -> Void)?
  /// Called with `errno` when the output has; unless it is set, this is said, and what comes is dropped.
  var onFailure: ((Int32) -> Void)?

  private struct Ends {
    var input: FileDescriptor
    var output: FileDescriptor
    var writer: EventLoop.DescriptorWriter
  }

  /// - Parameter name: for messages, as in "the pseudo-terminal".
  init(name: String) { self.name = name }

  convenience init(input: FileDescriptor, output: FileDescriptor, name: String) {
    self.init(name: name)
    connect(input: input, output: output)
  }

  var isReading = false {
    didSet { if isReading != oldValue { updateReading() } }
  }

  var isConnected: Bool { ends != nil }

  /// What `body` says of the input's descriptor; nil: there is none now.
  func withInput<T>(_ body: (Int32) -> T) -> T? { ends.map { body($0.input.rawValue) } }

  /// Bytes that the other side has not taken.
  var backlog: Int { ends?.writer.count ?? kept.count }
}

// MARK: Coming and going

extension DescriptorStream {
  /// - Parameter watchesHangUp: whether the end of the input is noticed also while it is not read, once nothing
  ///   is left to read; for sockets and devices, whose two directions end together.
  func connect(input: FileDescriptor, output: FileDescriptor, watchesHangUp: Bool = false) {
    let writer = EventLoop.DescriptorWriter(output.rawValue)
    writer.onEmpty = { [weak self] in self?.hasOverflowed = false }
    writer.onProgress = { [weak self] in self?.host?.wireTookBytes() }
    writer.onFailure = { [weak self] in self?.fail($0) }
    ends = Ends(input: input, output: output, writer: writer)
    (hasEnded, hungUpUnread) = (false, false)
    if watchesHangUp {
      hangUp = EventLoop.DescriptorWatch(input.rawValue, for: .peerHangUp) { [weak self] _ in self?.hungUp() }
    }
    updateReading()
    writer.append(kept.span)
    kept = []
    writer.flush()
  }

  /// Lets go of the descriptors; what has not been written waits for the next ones.
  func disconnect() {
    (reading, hangUp) = (nil, nil)
    kept = ends?.writer.takeRest() ?? kept
    ends = nil
  }

  /// Lets go of the descriptors for good, after what can be handed over at once.
  func close() {
    isReading = false
    ends?.writer.flush()
    disconnect()
    (kept, isBroken) = ([], true)
  }

  /// From now on nobody is there: drops what waits and what comes.
  func giveUp() {
    isBroken = true
    kept = []
    _ = ends?.writer.takeRest()
    host?.wireTookBytes()
  }

  /// A hang-up lasts: the watch would call for ever.
  private func hungUp() {
    hangUp = nil
    hungUpUnread = unreadCount > 0
    if !hungUpUnread { end() }
  }

  /// Whether the other side has closed, though what it left may not be read yet.
  var hasHungUp: Bool {
    guard let ends else { return false }
    let closing = EventLoop.Readiness([.peerHangUp, .hangUp, .error])
    var poll = pollfd(fd: ends.input.rawValue, events: Int16(closing.rawValue), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(closing.rawValue) != 0
  }

  private var unreadCount: Int32 {
    var count: Int32 = 0
    guard let ends, ioctl(ends.input.rawValue, UInt(FIONREAD), &count) == 0 else { return 0 }
    return count
  }

  private func end() {
    guard !hasEnded else { return }
    (reading, hasEnded) = (nil, true)
    onEnd?()
  }
}

// MARK: In

extension DescriptorStream {
  private func updateReading() {
    guard isReading, !hasEnded, let ends else { return reading = nil }
    reading = EventLoop.DescriptorWatch(ends.input.rawValue, for: .readable) { [weak self] _ in
      self?.readOnce()
    }
  }

  private func readOnce() {
    guard let count = readIntoBuffer() else { return }
    if count > 0 { host?.receiveFromWire(Array(buffer[..<count])) } else { end() }
  }

  /// How many bytes have come; 0: none will come any more; nil: none now.
  private func readIntoBuffer() -> Int? {
    guard let ends else { return nil }
    let count = buffer.withUnsafeMutableBytes { read(ends.input.rawValue, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? nil : 0
  }

  /// Drops what has come and was not read, at most ``discardLimit`` bytes; a file's bytes have not come.
  func discard() -> Int {
    var total = 0
    while total < Self.discardLimit, isReadable, let count = readIntoBuffer(), count > 0 { total += count }
    if hungUpUnread, unreadCount == 0 { end() }
    return total
  }

  private var isReadable: Bool {
    var kind = stat()
    guard let ends, !hasEnded, fstat(ends.input.rawValue, &kind) == 0, kind.st_mode & S_IFMT != S_IFREG
    else { return false }
    var poll = pollfd(fd: ends.input.rawValue, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLIN) != 0
  }
}

// MARK: Out

extension DescriptorStream {
  func write(_ bytes: [UInt8]) {
    guard !isBroken else { return }
    guard backlog + bytes.count <= Self.capacity else { return overflow() }
    guard let writer = ends?.writer else { return kept += bytes }
    writer.append(bytes.span)
    // Who has gone takes everything and reads nothing; as soon as that is noticed, what waits is the next one's.
    if hangUp == nil || !hasHungUp { writer.flush() }
    if writer.count == 0 { hasOverflowed = false }
  }

  private func overflow() {
    if !hasOverflowed {
      host?.warn(
        "wire side: nobody reads \(name), and \(Self.capacity) bytes wait; bytes are dropped until somebody does"
      )
    }
    hasOverflowed = true
  }

  private func fail(_ code: Int32) {
    if let onFailure { return onFailure(code) }
    giveUp()
    let reason = String(cString: strerror(code))
    host?.warn("wire side: cannot write to \(name): \(reason); what is written there from now on is dropped")
  }
}
