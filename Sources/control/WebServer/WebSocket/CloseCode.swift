/// Why a WebSocket ends (RFC 6455, section 7.4). Those from 4000 on are this server's own.
enum CloseCode: UInt16 {
  /// The device, or the server, has ended.
  case goingAway = 1001
  case protocolError = 1002
  case notText = 1003
  case badUTF8 = 1007
  /// The page has sent what is no line.
  case refused = 1008
  case tooLong = 1009
  /// There are too many WebSockets.
  case tryLater = 1013
  /// No device of this name runs.
  case noDevice = 4404
  /// The device takes no connection: its process may be stopped.
  case noAnswer = 4408
}

extension WebSocketMistake {
  var code: CloseCode {
    switch self {
    case .unknownFrame, .notMasked, .badControlFrame, .badContinuation: .protocolError
    case .notText: .notText
    case .badUTF8: .badUTF8
    case .tooLong: .tooLong
    }
  }

  var reason: String {
    switch self {
    case .unknownFrame, .notMasked, .badControlFrame, .badContinuation: "this is not the WebSocket protocol"
    case .notText: "a message is text"
    case .badUTF8: "a message is text in UTF-8"
    case .tooLong: "a message has at most \(FrameReader.longest) bytes"
    }
  }
}
