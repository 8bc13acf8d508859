import CSoup

/// The socket of a connection that libsoup has. It can be ended from here; libsoup then closes it.
final class ClientSocket {
  private let socket: UnsafeMutablePointer<GSocket>

  /// - Parameter socket: a reference, which is released with this object.
  init(owning socket: UnsafeMutablePointer<GSocket>) { self.socket = socket }

  deinit { g_object_unref(socket) }

  /// Whether libsoup has closed it.
  var isClosed: Bool { g_socket_is_closed(socket) != 0 }

  /// Without an effect on a socket that is closed, also if another file has its number by now.
  func end() { g_socket_shutdown(socket, 1, 1, nil) }
}
