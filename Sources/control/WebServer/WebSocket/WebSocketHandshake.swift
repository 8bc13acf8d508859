import Cryptography

extension HTTPAnswer {
  /// Accepts the handshake of a WebSocket (RFC 6455, section 4.2); nil: it is none.
  init?(handshake head: RequestHead) {
    let options = head.headers["connection", default: ""].lowercased().split { ", \t".contains($0) }
    guard head.method == "GET", head.isForWebSocket, options.contains("upgrade"),
      head.headers["sec-websocket-version"] == "13", let key = head.headers["sec-websocket-key"],
      key.utf8.count == 24, key.hasSuffix("=="), key.dropLast(2).allSatisfy(\.isBase64Digit)
    else { return nil }
    let accepted = Hash.sha1.digest(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
    self.init(
      status: 101,
      headers: [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accepted.base64,
        "Sec-WebSocket-Protocol": RequestHead.subprotocol,
      ])
  }

  static var noWebSocket: Self {
    var answer = text(400, "this is for a WebSocket")
    answer.headers["Sec-WebSocket-Version"] = "13"
    return answer
  }
}

extension Character {
  fileprivate var isBase64Digit: Bool { isASCII && (isLetter || isNumber || self == "+" || self == "/") }
}
