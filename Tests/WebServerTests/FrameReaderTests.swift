import Testing

@testable import WebServer

/// The frames of a client (RFC 6455, section 5.7).
@Suite struct FrameReaderTests {
  /// A single text "Hello", masked.
  private static let hello: [UInt8] = [
    0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
  ]

  private func messages(_ pieces: [[UInt8]]) throws(WebSocketMistake) -> [FrameReader.Message] {
    var reader = FrameReader()
    var messages: [FrameReader.Message] = []
    for piece in pieces {
      piece.withUnsafeBytes { reader.add($0) }
      while let message = try reader.next() { messages.append(message) }
    }
    return messages
  }

  /// A frame with a mask of zeros.
  private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let size: [UInt8] =
      count < 126
      ? [0x80 | UInt8(count)]
      : [0xFF] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    return [first] + size + [0, 0, 0, 0] + payload
  }

  @Test func `a text may come in any pieces`() throws {
    let bytes = Self.hello + Self.hello
    #expect(try messages([bytes]) == [.text("Hello"), .text("Hello")])
    #expect(try messages(bytes.map { [$0] }) == [.text("Hello"), .text("Hello")])
  }

  @Test func `a text may come in several frames, with a ping between them`() throws {
    let bytes = frame(0x01, Array("Hel".utf8)) + frame(0x89, [1]) + frame(0x80, Array("lo".utf8))
    #expect(try messages([bytes]) == [.ping([1]), .text("Hello")])
  }

  @Test func `a pong is ignored, and a close has its code`() throws {
    #expect(try messages([frame(0x8A, []) + frame(0x88, [3, 232])]) == [.close([3, 232])])
  }

  @Test func `a text of 1 MiB is not too long`() throws {
    let text = [UInt8](repeating: 97, count: FrameReader.longest)
    #expect(try messages([frame(0x81, text)]) == [.text(String(decoding: text, as: UTF8.self))])
  }

  @Test(arguments: [
    ([0x81, 0x05] as [UInt8], WebSocketMistake.notMasked), ([0xC1, 0x80], .unknownFrame),
    ([0x83, 0x80], .unknownFrame), ([0x09, 0x80, 0, 0, 0, 0], .badControlFrame),
    ([0x88, 0xFE, 0, 126, 0, 0, 0, 0], .badControlFrame), ([0x80, 0x80, 0, 0, 0, 0], .badContinuation),
    ([0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0], .badContinuation),
    ([0x82, 0x80, 0, 0, 0, 0], .notText), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], .badUTF8),
    // Neither the text nor its size in the head need be there completely.
    ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 0], .tooLong),
    ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], .tooLong),
    ([0x01, 0x81, 0, 0, 0, 0, 97, 0x80, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0], .tooLong),
  ])
  func `a mistake is found`(bytes: [UInt8], mistake: WebSocketMistake) {
    #expect(throws: mistake) { try messages([bytes]) }
  }

  @Test(arguments: [
    (0, [0x81, 0] as [UInt8]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
    (65535, [0x81, 126, 255, 255]),
    (65536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
  ])
  func `the head of a text has its size`(count: Int, head: [UInt8]) {
    #expect(FrameHeader.bytes(.text, count: count) == head)
  }
}
