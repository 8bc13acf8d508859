/// Reads messages from the bytes that a client sends, however they come.
struct FrameReader: Sendable {
  /// The longest message, bytes: the longest line that a device reads.
  static let longest = 1 << 20

  enum Message: Hashable, Sendable {
    case text(String)
    case ping([UInt8])
    /// With the code and the reason, as they are.
    case close([UInt8])
  }

  private var received: [UInt8] = []
  private var start = 0
  /// What has come of a message in several frames.
  private var parts: [UInt8]?

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    received.removeFirst(start)
    start = 0
    received += bytes
  }

  /// The next message that is complete.
  mutating func next() throws(WebSocketMistake) -> Message? {
    while let (header, payload) = try nextFrame() {
      switch header.kind {
      case .ping: return .ping(payload)
      case .close: return .close(payload)
      case .pong: continue
      case .binary: throw .notText
      case .text, .continuation:
        if let text = try take(payload, header) { return .text(text) }
      }
    }
    return nil
  }

  private mutating func nextFrame() throws(WebSocketMistake) -> (FrameHeader, [UInt8])? {
    guard let header = try FrameHeader(received[start...]) else { return nil }
    guard header.payload <= Self.longest - (parts?.count ?? 0) || header.kind.isControl else {
      throw .tooLong
    }
    let begin = start + header.size
    guard received.count >= begin + header.payload else { return nil }
    start = begin + header.payload
    return (header, unmasked(begin..<start, header.mask))
  }

  private func unmasked(_ range: Range<Int>, _ mask: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { bytes, count in
      received.withUnsafeBufferPointer { received in
        mask.withUnsafeBufferPointer { mask in
          for index in 0..<range.count { bytes[index] = received[range.lowerBound + index] ^ mask[index & 3] }
        }
      }
      count = range.count
    }
  }

  /// Takes a part of a message; returns the message once it is complete.
  private mutating func take(_ payload: [UInt8], _ header: FrameHeader) throws(WebSocketMistake) -> String? {
    guard (parts == nil) == (header.kind == .text) else { throw .badContinuation }
    if parts == nil { parts = payload } else { parts?.append(contentsOf: payload) }
    guard header.isFinal, let whole = parts else { return nil }
    parts = nil
    guard let text = String(validating: whole, as: UTF8.self) else { throw .badUTF8 }
    return text
  }
}
