/// The head of a WebSocket frame (RFC 6455, section 5.2).
struct FrameHeader {
  enum Kind: UInt8 {
    case continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  var kind: Kind
  /// Whether it ends its message.
  var isFinal: Bool
  var mask: [UInt8]
  /// The bytes of the head, and of what follows it.
  var (size, payload): (Int, Int)

  /// Reads the head of a client's frame; nil if it is not there completely.
  init?(_ bytes: ArraySlice<UInt8>) throws(WebSocketMistake) {
    let start = bytes.startIndex
    guard bytes.count >= 2 else { return nil }
    guard bytes[start] & 0x70 == 0, let kind = Kind(rawValue: bytes[start] & 0x0F) else {
      throw .unknownFrame
    }
    guard bytes[start + 1] & 0x80 != 0 else { throw .notMasked }
    (self.kind, isFinal) = (kind, bytes[start] & 0x80 != 0)
    let length = Int(bytes[start + 1] & 0x7F)
    let extra = length == 126 ? 2 : length == 127 ? 8 : 0
    size = 2 + extra + 4
    guard bytes.count >= size else { return nil }
    payload = extra == 0 ? length : Self.number(bytes[(start + 2)..<(start + 2 + extra)])
    mask = Array(bytes[(start + 2 + extra)..<(start + size)])
    if kind.isControl, !isFinal || payload > 125 { throw .badControlFrame }
  }

  /// More than an `Int` holds is as good as the greatest one: both are too long.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The head of a frame that the server sends: not masked, and a whole message.
  static func bytes(_ kind: Kind, count: Int) -> [UInt8] {
    let first = 0x80 | kind.rawValue
    if count < 126 { return [first, UInt8(count)] }
    let isShort = count <= 0xFFFF
    let size = isShort ? 2 : 8
    let digits = (0..<size).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    return [first, isShort ? 126 : 127] + digits
  }
}

/// What a client does wrong. It ends the WebSocket.
enum WebSocketMistake: Error, Hashable, Sendable {
  case unknownFrame
  case notMasked
  case badControlFrame
  case badContinuation
  case notText
  case badUTF8
  /// The message has more bytes than it may have.
  case tooLong
}
