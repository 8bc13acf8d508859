import TestSupport
import Testing

@testable import TestBeds

/// Conversations in credit-based channels, in memory.
@Suite struct ChannelTests {
  private static let device = try! define(
    """
    blemu: 1
    name: Channels
    settings: { level: { type: integer, default: 1 } }
    advertisement: { local-name: Channels }
    security: { io-capability: no-input-no-output }
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, id: control, properties: [write, notify] }] }]
    channels:
      stream: { psm: 0x80, mtu: 23 }
      locked: { psm: 0x81, security: encrypt-authenticated }
      lines: { psm: 0x82 }
      serial: { psm: 0x83 }
    framing: { lines: { delimiter: "0A" } }
    messages: { end: "45 4E 44" }
    rules:
      - { on: { receive: end, from: stream }, do: { close: stream } }
      - { on: { receive: any, from: stream }, do: { send: { bytes: "{frame}" } } }
      - { on: { receive: any, from: lines }, do: { send: { text: "{size(frame)}" } } }
      - { on: { open: lines }, do: { send: { text: "ready" } } }
      - { on: { close: lines }, do: { log: closed } }
      - { on: { write: control }, do: { send: { text: all }, to: stream } }
    wire: { bridge: serial }
    """)

  @Test(arguments: [
    "open stream\n> stream  01 02\n< stream  01 02\n> stream  \"\"\n< stream  \"\"",
    "open stream\nclose stream\nopen stream\n> stream  01\n< stream  01",
    // 30 bytes are two SDUs of the device's MTU, 23 bytes
    "open stream\n> stream  \"123456789012345678901234567890\"\n< stream  \"12345678901234567890123\"\n< stream  \"4567890\"",
    "open stream\n> stream  end\nclosed stream\nopen stream",
    "open locked\n! insufficient-authentication\nopen stream",
    "open lines\n< lines  \"ready\"\n> lines  \"ab\"\n> lines  \"c\\n\"\n< lines  \"3\"\nclose lines\n* \"closed\"",
    "open lines\n< lines  \"ready\"\ndisconnect\n* \"closed\"",
    "> control  01\nopen stream\n> control  01\n< stream  \"all\"",
    "] wire  01\nopen serial\n< serial  01\n> serial  02 03\n[ wire  02 03\n] wire  04\n< serial  04",
    "fault drop in on stream once\nopen stream\n> stream  01\n> stream  02\n< stream  02",
    "fault delay 2s out on stream\nopen stream\n> stream  01\n< stream  01  after 2s",
    "fault corrupt 1 bit in on stream\nopen stream\n> stream  00\n< stream  **",
  ])
  func `a conversation passes`(lines: String) async throws {
    #expect(try await failure(of: "connect\n" + lines, with: Self.device) == nil)
  }

  @Test(arguments: [
    ("open stream\nopen stream", "3: the device has not opened stream: no-resources"),
    ("> stream  01", "2: the channel is not open"), ("close stream", "2: the channel is not open"),
    ("open stream\n> stream  01\n< stream  02", "4: byte 0 is 0x01, not 0x02"),
    ("open stream\n> stream  end\nwait 1s", "4: no line expects this: closed stream"),
    ("open stream\nclosed stream", "3: nothing arrived within 5 s"),
    (
      "open locked",
      "2: refused: Insufficient Authentication (0x05); put 'pair' before this line, or expect it with '! insufficient-authentication'"
    ),
  ])
  func `a conversation fails with its reason`(lines: String, message: String) async throws {
    #expect(try await failure(of: "connect\n" + lines, with: Self.device) == message)
  }
}
