/// What a request says before its body.
struct RequestHead: Sendable {
  var method = "GET"
  var path = "/"
  /// The parameters of the query. Of two with the same name, the last.
  var query: [String: String] = [:]
  /// By name in lower case. Several with one name are joined by a comma.
  var headers: [String: String] = [:]

  /// The value of a cookie; nil if there is none of this name, or several.
  func cookie(_ name: String) -> String? {
    let pairs = (headers["cookie"] ?? "").split(separator: ";").map { pair in
      pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let values = pairs.filter { $0.count == 2 && $0[0] == name }.map { String($0[1]) }
    return values.count == 1 ? values[0] : nil
  }

  /// Whether it asks for a WebSocket (RFC 6455, section 4.2.1).
  var isForWebSocket: Bool { headers["upgrade"]?.lowercased() == "websocket" }
}
