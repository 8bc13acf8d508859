import EventLoop
import Glibc
import Peripheral

/// Reads and writes the bytes of an attachment through a pair of file descriptors.
///
/// The descriptors may be replaced. Bytes that the other side does not read wait here, up to ``capacity``, even while
/// there are no descriptors. Bytes beyond that are dropped with a warning.
@EventLoop
final class DescriptorStream {
  static let capacity = 1 << 20
  /// The most bytes that ``discard()`` drops: as many as pipes, terminals and our sockets hold.
  static let discardLimit = 1 << 16

  weak var host: (any WireHost)?
  private let name: String
  private var ends: Ends?
  private var reading: EventLoop.DescriptorWatch?
  private var hangUp: EventLoop.DescriptorWatch?
  /// Bytes that wait while there are no descriptors.
  private var kept: [UInt8] = []
  private var hasOverflowed = false
  private var isBroken = false
  private var hasEnded = false
  private var hungUpUnread = false
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// Called at the end of the input.
  var onEnd: (() -> Void)?
  /// Called with `errno` when writing fails. By default the stream warns and drops all further output.
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

  /// Calls `body` with the input's descriptor; nil if there is none.
  func withInput<T>(_ body: (Int32) -> T) -> T? { ends.map { body($0.input.rawValue) } }

  /// The number of bytes that the other side has not read.
  var backlog: Int { ends?.writer.count ?? kept.count }
}

// MARK: Connecting and disconnecting

extension DescriptorStream {
  /// - Parameter watchesHangUp: whether to notice the end of the input even while not reading, once all bytes are read.
  ///   For sockets and devices, whose two directions end together.
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
    let before = kept
    kept = []
    writer.append(before.span)
    writer.flush()
  }

  /// Closes the descriptors. Unwritten bytes wait for the next ones.
  func disconnect() {
    (reading, hangUp) = (nil, nil)
    kept = ends?.writer.takeRest() ?? kept
    ends = nil
  }

  /// Writes what can be written at once, and closes the descriptors for good.
  func close() {
    isReading = false
    ends?.writer.flush()
    disconnect()
    (kept, isBroken) = ([], true)
  }

  /// Drops all waiting and all further output.
  func giveUp() {
    isBroken = true
    kept = []
    _ = ends?.writer.takeRest()
    host?.wireTookBytes()
  }

  /// Ends the watch, which would otherwise fire forever, and the input if all bytes are read.
  private func hungUp() {
    hangUp = nil
    hungUpUnread = unreadCount > 0
    if !hungUpUnread { end() }
  }

  /// Whether the other side has closed. Its last bytes may still be unread.
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

// MARK: Input

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

  /// Reads into the buffer and returns the number of bytes: 0 at the end of the input, nil if none are available now.
  private func readIntoBuffer() -> Int? {
    guard let ends else { return nil }
    let count = buffer.withUnsafeMutableBytes { read(ends.input.rawValue, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? nil : 0
  }

  /// Drops bytes that have arrived unread, at most ``discardLimit``. The bytes of a regular file have not arrived.
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

// MARK: Output

extension DescriptorStream {
  func write(_ bytes: [UInt8]) {
    guard !isBroken else { return }
    guard backlog + bytes.count <= Self.capacity else { return overflow() }
    guard let writer = ends?.writer else { return kept += bytes }
    writer.append(bytes.span)
    // A peer that has hung up accepts bytes but never reads them. Once the hang-up is known, they wait for the next peer.
    if hangUp == nil || !hasHungUp { writer.flush() }
    if writer.count == 0 { hasOverflowed = false }
  }

  private func overflow() {
    if !hasOverflowed {
      host?.warn(
        "wire side: \(Self.capacity) bytes wait for a reader of \(name); blemu drops more until it reads"
      )
    }
    hasOverflowed = true
  }

  private func fail(_ code: Int32) {
    if let onFailure { return onFailure(code) }
    giveUp()
    let reason = String(cString: strerror(code))
    host?.warn("wire side: cannot write to \(name): \(reason); blemu drops all further bytes for it")
  }
}
