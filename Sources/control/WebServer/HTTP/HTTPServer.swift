import CSoup
import EventLoop
import Glibc

/// The HTTP server of libsoup, on the event loop.
@EventLoop
final class HTTPServer {
  /// How long to wait if the process has no descriptors left.
  private static let pause = Duration.seconds(1)

  private let server: UnsafeMutablePointer<SoupServer>
  private let listener: ListeningSocket
  private let handler: @EventLoop (HTTPRequest) -> Void
  private var watch: EventLoop.DescriptorWatch?
  private var timer: EventLoop.Timer?
  private var waiting = WaitingConnections<ClientSocket>()
  /// Fires when a connection has waited too long.
  private lazy var deadline = EventLoop.Timer { [unowned self] in endOverdue() }

  /// - Parameter handler: answers each request.
  init(_ listener: ListeningSocket, _ handler: @escaping @EventLoop (HTTPRequest) -> Void) {
    EventLoop.hasOtherSources = true
    (self.listener, self.handler) = (listener, handler)
    let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil)!
    server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
    let data = Unmanaged.passUnretained(self).toOpaque()
    soup_server_add_early_handler(server, nil, dropBody, nil, nil)
    soup_server_add_handler(server, nil, handleRequest, data, nil)
    listen()
  }

  fileprivate func handle(_ request: HTTPRequest) {
    waiting.remove(request.connection)
    handler(request)
  }

  /// Ends all connections. The server cannot be used again.
  func close() {
    (watch, timer) = (nil, nil)
    deadline.cancel()
    soup_server_remove_handler(server, nil)
    soup_server_disconnect(server)
    g_object_unref(server)
  }
}

// MARK: Connections

extension HTTPServer {
  // libsoup 3.2 loses memory for each connection that it accepts itself.
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

  /// Gives a connection to libsoup.
  private func take(_ number: Int32) {
    guard let socket = g_socket_new_from_fd(number, nil) else { return _ = Glibc.close(number) }
    let client = ClientSocket(owning: socket)
    guard let address = g_socket_get_remote_address(socket, nil) else { return }
    defer { g_object_unref(address) }
    PeerAddress.note(number, in: address)
    let local = g_socket_get_local_address(socket, nil)
    let connection = g_socket_connection_factory_create_connection(socket)!
    let stream = UnsafeMutableRawPointer(connection).assumingMemoryBound(to: GIOStream.self)
    // libsoup may have the request already, and handles it before it returns.
    wait(for: client, number)
    soup_server_accept_iostream(server, stream, local, address, nil)
    g_object_unref(connection)
    if let local { g_object_unref(local) }
  }

  private func wait(for client: ClientSocket, _ number: Int32) {
    waiting.removeAll(where: \.isClosed)
    waiting.add(client, number, at: EventLoop.now)?.end()
    setDeadline()
  }

  private func endOverdue() {
    for client in waiting.removeOverdue(at: EventLoop.now) { client.end() }
    setDeadline()
  }

  private func setDeadline() {
    if let instant = waiting.deadline { deadline.fire(at: instant) }
  }
}

/// The address of a client, which knows the descriptor of its connection: libsoup does not tell that.
enum PeerAddress {
  private static let key = "blemu-descriptor"

  static func note(_ descriptor: Int32, in address: UnsafeMutablePointer<GSocketAddress>) {
    // A null pointer is no data.
    g_object_set_data(Self.object(address), key, UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1))
  }

  static func descriptor(in address: UnsafeMutablePointer<GSocketAddress>) -> Int32 {
    Int32(Int(bitPattern: g_object_get_data(Self.object(address), key)) - 1)
  }

  private static func object(_ address: UnsafeMutablePointer<GSocketAddress>) -> UnsafeMutablePointer<GObject>
  {
    UnsafeMutableRawPointer(address).assumingMemoryBound(to: GObject.self)
  }
}

/// The body of a request is of no interest: libsoup need not keep it.
private func dropBody(
  _: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _: UnsafePointer<CChar>?,
  _: OpaquePointer?, _: gpointer?
) {
  soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
}

private func handleRequest(
  _: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ query: OpaquePointer?, _ data: gpointer?
) {
  // Unsafe: libsoup calls this on the loop's thread, where all of it is used and nowhere else.
  nonisolated(unsafe) let (message, path, query, data) = (message!, path!, query, data!)
  EventLoop.assumeIsolated {
    let server = Unmanaged<HTTPServer>.fromOpaque(data).takeUnretainedValue()
    server.handle(HTTPRequest(message, path: String(cString: path), query: query))
  }
}
