@testable import WebServer

extension FuzzTarget {
  /// Any bytes as what a browser sends through a WebSocket: the messages are the same, however the bytes come.
  static let websocket = FuzzTarget(
    name: "websocket",
    run: { bytes in
      let (whole, halves, single) = (read(bytes, by: bytes.count), read(bytes, by: 7), read(bytes, by: 1))
      try guarantee(whole == halves && whole == single, "\(whole), in pieces \(halves), each byte \(single)")
    },
    describe: { "\(read($0, by: $0.count))" })

  /// The messages, and the mistake that ends them.
  private static func read(_ bytes: [UInt8], by size: Int) -> [Result<FrameReader.Message, WebSocketMistake>]
  {
    var (reader, messages) = (FrameReader(), [Result<FrameReader.Message, WebSocketMistake>]())
    for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
      bytes[start..<min(bytes.count, start + max(1, size))].withUnsafeBytes { reader.add($0) }
      do throws(WebSocketMistake) {
        while let message = try reader.next() { messages.append(.success(message)) }
      } catch {
        return messages + [.failure(error)]
      }
    }
    return messages
  }
}
