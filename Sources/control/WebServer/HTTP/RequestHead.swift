/// What a request says. It has no body.
struct RequestHead: Hashable, Sendable {
  /// `GET` or `HEAD`.
  var method = "GET"
  var path = "/"
  /// The parameters of the query. Of two with the same name, the last.
  var query: [String: String] = [:]
  /// By name in lower case. Several with one name are joined by a comma.
  var headers: [String: String] = [:]

  /// The token of the page: a bearer token (RFC 6750), or, because a page cannot set that header of a WebSocket, the second of
  /// its subprotocols.
  var token: String? {
    if isForWebSocket { return value(of: "sec-websocket-protocol", after: "\(Self.subprotocol), token.") }
    return value(of: "authorization", after: "Bearer ")
  }

  /// What a WebSocket of the page speaks: the control protocol.
  static let subprotocol = "blemu"

  private func value(of name: String, after prefix: String) -> String? {
    guard let text = headers[name], text.hasPrefix(prefix) else { return nil }
    return String(text.dropFirst(prefix.count))
  }

  /// Whether it asks for a WebSocket (RFC 6455, section 4.2.1).
  var isForWebSocket: Bool { headers["upgrade"]?.lowercased() == "websocket" }
}
