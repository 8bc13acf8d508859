import Testing
import TestSupport

@testable import TestBeds

/// A central at the other end of streams that are encoded speaks plain bytes, too.
@Suite struct CodedStreamTests {
  /// Frames in hex digits between `:` and a line feed, on one characteristic that takes and sends; values whose bytes
  /// are all encoded on another two; frames with a delimiter on the wire side.
  static let device = try! define(
    """
    blemu: 1
    name: Coder
    services:
      - uuid: FFE0
        characteristics:
          - { id: digits, uuid: FFE1, properties: [write, notify] }
          - { id: in, uuid: FFE2, properties: [write], answers: out }
          - { id: out, uuid: FFE3, properties: [notify] }
    framing:
      digits: { start: 3A, tail: 0A, check: sum8, check-from: 1, decode-frame: "bytes(text(frame))", encode-frame: hex(frame) }
      in: { decode: "lower(text(value))", encode: "upper(text(value))" }
      out: { decode: "bytes(text(value))", encode: "hex(value)" }
      wire: { delimiter: 0A, decode-frame: "bytes(text(frame))", encode-frame: hex(frame) }
    messages:
      ask: "3A {n: u8} {sum8(1)} 0A"
      long: "3A FF {data: bytes} {sum8(1)} 0A"
    rules:
      - { on: { receive: ask, from: digits }, do: { send: ask, with: { n: n + 1 } } }
      - { on: { receive: long, from: digits }, do: { send: long } }
      - { on: { receive: { text: hello }, from: in }, do: { send: { text: hi } } }
      - { on: { receive: { text: bad }, from: in }, do: { send: { bytes: "FF" }, to: digits } }
      - { on: { receive: { bytes: "01 {n: u8}" }, from: wire }, do: { send: { bytes: "02 {n: u8}" } } }
    """)

  @Test(arguments: [
    "subscribe digits\n> digits  ask n=1\n< digits  ask n=2",
    "subscribe digits\n> digits  3A 0A 0A 0A\n< digits  3A 0B 0B 0A",
    "subscribe digits\n> digits  long data=\"12345678901234567890\"\n< digits  long data=\"12345678901234567890\"",
    "subscribe out\n> in  \"hello\"\n< out  \"hi\"",
    "] wire  01 0A\n[ wire  02 0A",
  ])
  func `a conversation in plain bytes passes`(text: String) async throws {
    #expect(try await failure(of: "connect\n" + text, with: Self.device) == nil)
  }

  /// Write Requests (12) of the CCCD and the value, and the notification (1B) of the answer: `:0101` and a line feed.
  @Test func `a PDU has the bytes on the air`() async throws {
    let text = """
      connect raw
      >> 12 0D 00 01 00
      << 13
      >> 12 0C 00 3A 30 31 30 31 0A
      << 13
      << 1B 0C 00 3A 30 32 30 32 0A
      """
    #expect(try await failure(of: text, with: Self.device) == nil)
  }

  @Test func `a message that has no encoding fails its line`() async throws {
    let text = "connect\nsubscribe digits\n> digits  01 02"
    #expect(
      try await failure(of: text, with: Self.device)
        == "3: the message does not begin with 3A and end with 0A")
  }
}
