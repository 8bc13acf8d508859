import CSoup
import EventLoop
import Glibc

/// The HTTP server of libsoup, on the event loop.
@EventLoop
final class HTTPServer {
  private let server: UnsafeMutablePointer<SoupServer>
  private let handler: @EventLoop (HTTPRequest) -> Void

  /// - Parameters:
  ///   - listener: a listening socket.
  ///   - handler: answers each request.
  init(_ listener: ListeningSocket, _ handler: @escaping @EventLoop (HTTPRequest) -> Void) {
    EventLoop.hasOtherSources = true
    self.handler = handler
    let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil)!
    server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
    let data = Unmanaged.passUnretained(self).toOpaque()
    soup_server_add_early_handler(server, nil, dropBody, nil, nil)
    soup_server_add_handler(server, nil, handleRequest, data, nil)
    // GLib owns this descriptor.
    let socket = g_socket_new_from_fd(fcntl(listener.descriptor.rawValue, F_DUPFD_CLOEXEC, 0), nil)
    precondition(
      socket != nil && soup_server_listen_socket(server, socket, SoupServerListenOptions(0), nil) != 0,
      "libsoup listens at every listening socket")
    g_object_unref(socket)
  }

  fileprivate func handle(_ request: HTTPRequest) { handler(request) }

  /// Ends all connections. The server cannot be used again.
  func close() {
    soup_server_remove_handler(server, nil)
    soup_server_disconnect(server)
    g_object_unref(server)
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
