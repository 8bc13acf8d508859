import Captures
import EventLoop
import Framing
import Glibc

/// A file that gets packets as they come.
///
/// It writes whole records only, when the loop is idle and at the latest after a second: whatever ends this program, the file
/// has all packets but the last ones, and can be read.
@EventLoop
package final class RecordingFile {
  /// How long a packet waits while the loop is never idle.
  private static let patience = Duration.seconds(1)
  /// The most packets that wait.
  private static let most = 512

  package let path: String
  private let format: WrittenFormat
  /// nil: it has been closed, or cannot be written any more.
  private var descriptor: FileDescriptor?
  /// The whole records that the file has, bytes.
  private var length = 0
  private var waiting: [WrittenPacket] = []
  /// When the first of them came.
  private var since = Instant()
  private var idle: EventLoop.IdleCallback?

  /// Called once when no more can be written.
  package var onFailure: (@EventLoop (UnwritableFile) -> Void)?

  /// Why there is no file.
  package enum Problem: Error, Hashable, Sendable {
    case exists
    case unwritable(UnwritableFile)
  }

  /// Creates the file, which must not exist.
  package init(_ path: String, _ format: WrittenFormat) throws(Problem) {
    (self.path, self.format) = (path, format)
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard number >= 0 else {
      throw errno == EEXIST ? .exists : .unwritable(UnwritableFile(path, errno))
    }
    descriptor = FileDescriptor(owning: number)
    if let code = write([format.header]) {
      unlink(path)
      throw .unwritable(UnwritableFile(path, code))
    }
    idle = EventLoop.IdleCallback { [weak self] in self?.flush() }
  }

  package func append(_ packet: WrittenPacket) {
    guard descriptor != nil else { return }
    let now = Instant(microseconds: EventLoop.now)
    if waiting.isEmpty {
      since = now
      idle?.schedule()
    }
    waiting.append(packet)
    if waiting.count >= Self.most || since.duration(to: now) >= Self.patience { flush() }
  }

  /// Adds a comment to the last packets that wait, as long as they match.
  ///
  /// - Parameter choose: whether a packet gets it; nil: this packet and those before it do not.
  func comment(_ comment: String, where choose: (WrittenPacket) -> Bool) {
    for index in waiting.indices.reversed() {
      guard waiting[index].comment == nil, choose(waiting[index]) else { return }
      waiting[index].comment = comment
    }
  }

  /// Writes the packets that wait.
  package func flush() {
    guard !waiting.isEmpty else { return }
    let records = waiting.map(format.record)
    waiting.removeAll(keepingCapacity: true)
    guard let code = write(records) else { return }
    ftruncate(descriptor?.rawValue ?? -1, length)
    descriptor = nil
    onFailure?(UnwritableFile(path, code))
  }

  /// Writes what waits, and closes the file.
  package func close() {
    flush()
    (idle, descriptor) = (nil, nil)
  }

  /// Removes the file, because there was nothing to record.
  package func discard() {
    if descriptor != nil { unlink(path) }
    waiting = []
    close()
  }

  /// Writes records. ``length`` counts those that are whole.
  ///
  /// - Returns: the error; nil: everything is written.
  private func write(_ records: [[UInt8]]) -> Int32? {
    guard let descriptor else { return nil }
    let bytes = records.flatMap(\.self)
    var rest = bytes[...]
    var code: Int32?
    while !rest.isEmpty, code == nil {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor.rawValue, $0.baseAddress, $0.count) }
      if written < 0, errno != EINTR { code = errno }
      rest = rest.dropFirst(max(0, written))
    }
    var end = 0
    for record in records {
      end += record.count
      if end <= rest.startIndex { length += record.count }
    }
    return code
  }
}
