import BlemuControl
import EventLoop
import Glibc
import TestSupport

/// A socket in place of a device's. Each connection gives what comes to a handler.
@EventLoop
final class TestDevice {
  private let listener: FileDescriptor
  private var watch: EventLoop.DescriptorWatch?
  private(set) var connections: [Connection] = []
  /// The connections that have ended.
  let ends = Arrivals<Bool>()

  /// - Parameter handler: nil: the device accepts no connection, as one whose process is stopped.
  init(at path: String, backlog: Int32 = 16, _ handler: (@EventLoop @Sendable (Connection, [UInt8]) -> Void)?)
  {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    listener = FileDescriptor(owning: socket(AF_UNIX, kind, 0))
    let number = listener.rawValue
    precondition(UnixAddress(path)!.use { bind(number, $0, $1) } == 0 && listen(number, backlog) == 0)
    guard let handler else { return }
    watch = EventLoop.DescriptorWatch(number, for: .readable) { [weak self] _ in
      let peer = accept(number, nil, nil)
      guard let self, peer >= 0 else { return }
      let connection = Connection(FileDescriptor(owning: peer), handler) { [weak self] in self?.ends.add(true)
      }
      connections.append(connection)
    }
  }

  /// One that sends back what comes.
  convenience init(echoingAt path: String) {
    self.init(at: path) { $0.send($1) }
  }

  /// Ends all connections, and listens no more.
  func end() {
    watch = nil
    connections = []
  }

  @EventLoop
  final class Connection {
    private let socket: FileDescriptor
    private let writer: EventLoop.DescriptorWriter
    private var watch: EventLoop.DescriptorWatch?

    init(
      _ socket: FileDescriptor, _ handler: @escaping @EventLoop (Connection, [UInt8]) -> Void,
      onEnd: @escaping () -> Void
    ) {
      self.socket = socket
      _ = fcntl(socket.rawValue, F_SETFL, O_NONBLOCK)
      writer = EventLoop.DescriptorWriter(socket.rawValue, isNonBlocking: true)
      watch = EventLoop.DescriptorWatch(socket.rawValue, for: .readable) { [weak self] _ in
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = bytes.withUnsafeMutableBytes { recv(socket.rawValue, $0.baseAddress, $0.count, 0) }
        guard let self, count > 0 else {
          self?.watch = nil
          return onEnd()
        }
        handler(self, Array(bytes[..<count]))
      }
    }

    /// How many bytes the server has not read.
    var unread: Int { writer.count }

    func send(_ bytes: [UInt8]) {
      writer.append(bytes.span)
      writer.flush()
    }
  }
}
