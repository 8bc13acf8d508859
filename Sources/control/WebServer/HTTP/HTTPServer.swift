import EventLoop
import Glibc

/// An HTTP server on the event loop.
@EventLoop
final class HTTPServer {
  /// How long to wait if the process has no descriptors left.
  private static let pause = Duration.seconds(1)

  private let listener: ListeningSocket
  private let handler: @EventLoop (RequestHead, HTTPConnection) -> Void
  private var watch: EventLoop.DescriptorWatch?
  private var timer: EventLoop.Timer?
  /// By descriptor.
  private var connections: [Int32: HTTPConnection] = [:]
  private var waiting = WaitingConnections()
  /// Fires when a connection has waited too long.
  private lazy var deadline = EventLoop.Timer { [unowned self] in endOverdue() }

  /// - Parameter handler: answers each request.
  init(_ listener: ListeningSocket, _ handler: @escaping @EventLoop (RequestHead, HTTPConnection) -> Void) {
    (self.listener, self.handler) = (listener, handler)
    listen()
  }

  /// Ends all connections. The server cannot be used again.
  func close() {
    (watch, timer) = (nil, nil)
    deadline.cancel()
    for connection in connections.values { connection.end() }
  }
}

// MARK: Connections

extension HTTPServer {
  private func listen() {
    watch = EventLoop.DescriptorWatch(listener.descriptor.rawValue, for: .readable) { [unowned self] _ in
      accept()
    }
  }

  private func accept() {
    let number = Glibc.accept(listener.descriptor.rawValue, nil, nil)
    if number >= 0 {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      take(number)
    } else if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) {
      watch = nil
      timer = EventLoop.after(Self.pause) { [unowned self] in listen() }
    }
  }

  private func take(_ number: Int32) {
    let connection = HTTPConnection(FileDescriptor(owning: number))
    connection.onRequest = { [unowned self, unowned connection] head in
      waiting.remove(number)
      handler(head, connection)
    }
    connection.onLeave = { [unowned self] in wait(for: number) }
    connection.onEnd = { [unowned self] in
      waiting.remove(number)
      connections[number] = nil
    }
    connections[number] = connection
    wait(for: number)
    connection.read()
  }

  private func wait(for number: Int32) {
    if let oldest = waiting.add(number, at: EventLoop.now) { connections[oldest]?.end() }
    setDeadline()
  }

  private func endOverdue() {
    for number in waiting.removeOverdue(at: EventLoop.now) { connections[number]?.end() }
    setDeadline()
  }

  private func setDeadline() {
    if let instant = waiting.deadline { deadline.fire(at: instant) }
  }
}
