import CSoup
import EventLoop
import Glibc

/// A request of libsoup. It is answered exactly once: at once, later, or with a WebSocket.
@EventLoop
struct HTTPRequest {
  /// A `SoupServerMessage`. libsoup holds it until its handler returns; then, whoever answers later does.
  private let message: OpaquePointer
  let head: RequestHead

  init(_ message: OpaquePointer, path: String, query: OpaquePointer?) {
    self.message = message
    head = RequestHead(
      method: String(cString: soup_server_message_get_method(message)), path: path,
      query: Self.parameters(query), headers: Self.headers(of: message))
    for (name, value) in SecurityHeaders.all { set(name, value) }
  }

  /// The descriptor of its connection.
  var connection: Int32 { PeerAddress.descriptor(in: soup_server_message_get_remote_address(message)) }

  func answer(_ answer: HTTPAnswer) {
    for (name, value) in answer.headers { set(name, value) }
    soup_server_message_set_status(message, answer.status, nil)
    guard !answer.body.isEmpty else { return }
    answer.body.withUnsafeBytes { bytes in
      soup_server_message_set_response(
        message, answer.type, SOUP_MEMORY_COPY, bytes.bindMemory(to: CChar.self).baseAddress,
        gsize(bytes.count))
    }
  }

  /// Lets the client wait, and returns what answers it.
  func later() -> @EventLoop (HTTPAnswer) -> Void {
    g_object_ref(UnsafeMutableRawPointer(message))
    soup_server_message_pause(message)
    return { answer in
      self.answer(answer)
      soup_server_message_unpause(message)
      g_object_unref(UnsafeMutableRawPointer(message))
    }
  }

  private func set(_ name: String, _ value: String) {
    soup_message_headers_replace(soup_server_message_get_response_headers(message), name, value)
  }
}

// MARK: Head

extension HTTPRequest {
  private static func parameters(_ table: OpaquePointer?) -> [String: String] {
    guard let table else { return [:] }
    var parameters: [String: String] = [:]
    var iterator = GHashTableIter()
    g_hash_table_iter_init(&iterator, table)
    var (name, value): (gpointer?, gpointer?) = (nil, nil)
    while g_hash_table_iter_next(&iterator, &name, &value) != 0 {
      guard let name, let value else { continue }
      parameters[text(name)] = text(value)
    }
    return parameters
  }

  private static func text(_ pointer: gpointer) -> String {
    String(cString: pointer.assumingMemoryBound(to: CChar.self))
  }

  private static func headers(of message: OpaquePointer) -> [String: String] {
    var headers: [String: String] = [:]
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, soup_server_message_get_request_headers(message))
    var (name, value): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
    while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
      guard let name, let value else { continue }
      headers[String(cString: name).lowercased(), default: ""].join(String(cString: value))
    }
    return headers
  }
}

extension String {
  /// Adds a further value of a header.
  fileprivate mutating func join(_ value: String) { self = isEmpty ? value : "\(self), \(value)" }
}

// MARK: WebSocket

extension HTTPRequest {
  /// Answers with a WebSocket, or with an error if the request does not ask for one as it must.
  ///
  /// - Parameter body: gets the connection, once the client has got the answer.
  func acceptWebSocket(_ body: @escaping @EventLoop (FileDescriptor) -> Void) {
    guard soup_websocket_server_process_handshake(message, nil, nil, nil, nil) != 0 else { return }
    set("Sec-WebSocket-Protocol", RequestHead.subprotocol)
    let acceptance = Unmanaged.passRetained(Acceptance(message, body))
    let callback: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, data in
      nonisolated(unsafe) let data = data
      EventLoop.assumeIsolated {
        Unmanaged<Acceptance>.fromOpaque(data!).takeUnretainedValue().finish()
      }
    }
    // Unsafe: GLib calls the function with the type that belongs to the signal.
    g_signal_connect_data(
      UnsafeMutableRawPointer(message), "wrote-informational", unsafeBitCast(callback, to: GCallback.self),
      acceptance.toOpaque(), { data, _ in Unmanaged<Acceptance>.fromOpaque(data!).release() },
      GConnectFlags(0))
  }
}

/// A WebSocket whose client is about to get the answer.
@EventLoop
private final class Acceptance {
  private let message: OpaquePointer
  private let body: @EventLoop (FileDescriptor) -> Void

  init(_ message: OpaquePointer, _ body: @escaping @EventLoop (FileDescriptor) -> Void) {
    (self.message, self.body) = (message, body)
  }

  /// Takes the connection from libsoup.
  func finish() {
    let number = PeerAddress.descriptor(in: soup_server_message_get_remote_address(message))
    let own = fcntl(number, F_DUPFD_CLOEXEC, 0)
    // libsoup closes its descriptor, which does not end the connection.
    g_object_unref(soup_server_message_steal_connection(message))
    if own >= 0 { body(FileDescriptor(owning: own)) }
  }
}
