import BlemuControl
import EventLoop
import Glibc

/// A connection to the control side of a device, which never blocks the loop.
@EventLoop
final class DeviceConnection {
  /// The longest line, bytes. A device disconnects a program before as much waits.
  nonisolated static let longest = 1 << 24

  private let socket: FileDescriptor
  private let writer: EventLoop.DescriptorWriter
  private var reading: EventLoop.DescriptorWatch?
  private var lines = MessageLines()
  private var hasEnded = false

  /// Called with the lines that have come together, without their line feeds.
  var onLines: (([[UInt8]]) -> Void)?
  /// Called when the device has read all that waited.
  var onRoom: (() -> Void)?
  /// Called once, when the device has ended the connection.
  var onEnd: (() -> Void)?
  /// Called once, in place of ``onEnd``, if a line is too long.
  var onLongLine: (() -> Void)?

  /// Connects to the device with this name, or at this socket if there is a `/` in it.
  init(to name: String) throws(ControlFailure) {
    socket = FileDescriptor(owning: try ControlConnection.descriptor(to: name))
    writer = EventLoop.DescriptorWriter(socket.rawValue, isNonBlocking: true)
    writer.onEmpty = { [weak self] in self?.onRoom?() }
  }

  /// How many bytes the device has not read.
  var unread: Int { writer.count }

  /// Begins to read, or goes on after a pause.
  func read() {
    guard !hasEnded, reading == nil else { return }
    reading = EventLoop.DescriptorWatch(socket.rawValue, for: .readable) { [weak self] _ in self?.readOnce() }
  }

  /// Stops reading. What the device sends waits in the kernel, and then in the device.
  func pause() { reading = nil }

  func send(line: String) {
    guard !hasEnded else { return }
    writer.append(line.utf8.span)
    writer.append("\n".utf8.span)
    writer.flush()
  }

  /// Ends the connection.
  func end() {
    hasEnded = true
    reading = nil
    writer.end()
    (onLines, onRoom, onEnd, onLongLine) = (nil, nil, nil, nil)
  }

  private func readOnce() {
    let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = recv(socket.rawValue, buffer.baseAddress, buffer.count, 0)
      if count > 0 { lines.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return finish(onEnd) }
    var complete: [[UInt8]] = []
    while let line = lines.next() { complete.append(line) }
    if !complete.isEmpty { onLines?(complete) }
    if lines.incompleteCount > Self.longest { finish(onLongLine) }
  }

  private func finish(_ handler: (() -> Void)?) {
    end()
    handler?()
  }
}
