import EventLoop
import Glibc

/// The test's end of a pipe or terminal, which never blocks.
@EventLoop
final class TestDescriptor {
  let descriptor: FileDescriptor
  let received = RecordingHost()
  private var reading: EventLoop.DescriptorWatch?
  private let writer: EventLoop.DescriptorWriter

  init(_ rawValue: Int32) {
    precondition(rawValue >= 0, String(cString: strerror(errno)))
    descriptor = FileDescriptor(owning: rawValue)
    _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK)
    writer = EventLoop.DescriptorWriter(rawValue)
  }

  /// The terminal end of a pseudo-terminal.
  convenience init(terminal path: String) {
    self.init(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
  }

  func startReading() {
    reading = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.readOnce()
    }
  }

  private func readOnce() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor.rawValue, &buffer, buffer.count)
    if count > 0 { received.receiveFromWire(Array(buffer[..<count])) } else { reading = nil }
  }

  func write(_ bytes: [UInt8]) {
    writer.append(bytes.span)
    writer.flush()
  }

  func close() {
    reading = nil
    writer.end()
  }
}

/// A pipe: bytes written to `input` are read from `output`. Both ends block, as those of a shell.
typealias Pipe = (output: FileDescriptor, input: FileDescriptor)

func makePipe() -> Pipe {
  var ends: [Int32] = [0, 0]
  precondition(pipe(&ends) == 0)
  return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
}

/// Runs everything that is ready now.
@EventLoop
func oneTurn() async {
  await withCheckedContinuation { continuation in
    var idle: EventLoop.IdleCallback?
    idle = EventLoop.IdleCallback {
      idle = nil
      continuation.resume()
    }
    idle?.schedule()
  }
}

/// Bytes that reveal a wrong order: each 16-bit number occurs once before the first is repeated.
func numberedBytes(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 % 2 == 0 ? $0 >> 9 : $0 >> 1) }
}
