import TestSupport
import Testing

@testable import TestBeds

/// Conversations in which the device is the GATT client of its central, in memory.
@Suite struct ClientTests {
  private static let device = try! define(
    """
    blemu: 1
    name: Watch
    advertisement: { local-name: Watch }
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, id: orders, properties: [write] }] }]
    client:
      time: { service: 1805, uuid: 2A2B }
      news: { service: FFF0, uuid: FFF1 }
      control: { service: FFF0, uuid: FFF2 }
    framing: { news: { delimiter: "0A" } }
    rules:
      - { on: connect, do: discover }
      - { on: { found: news }, do: { subscribe: news } }
      - { on: { found: time }, do: { read: time } }
      - { on: { missing: time }, do: { log: none } }
      - { on: { receive: any, from: time }, do: { log: "{frame}" } }
      - { on: { receive: any, from: news }, do: { send: { bytes: "{frame}" }, to: control } }
      - { on: { refused: control }, do: { log: "refused: {reason}" } }
      - { on: { write: orders }, do: { send: { text: "all" }, to: control } }
    """)

  @Test(arguments: [
    "serve time 01 02\nconnect\n* \"01 02\"",
    "connect\n* \"none\"",
    // a central that does not answer the search for 1805
    "connect raw\n<< 06 01 00 FF FF 00 28 05 18\ndisconnected after 30s",
    "serve news\nserve control\nserve time\nconnect\n> news  \"a\"\n> news  \"b\\n\"\n< control  \"ab\"",
    "serve news\nconnect\n> news  \"a\\n\"\n* \"refused: attribute-not-found\"",
    "serve news\nserve control ! 0xA0\nconnect\n> news  \"a\\n\"\n< control  \"a\"\n* \"refused: 0xA0\"",
    "serve time ! read-not-permitted\nconnect",
    "serve control\nconnect\n> orders  01\n< control  \"all\"\ndisconnect\nconnect\n> orders  01\n< control  \"all\"",
    "serve time 01\nconnect\n* \"01\"\nserve time 02\ndisconnect\nconnect\n* \"02\"",
    // what a link of the smallest ATT_MTU carries in several PDUs, and one of 100 bytes in one
    "serve time 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18\nconnect\n* \"00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18\"\ndisconnect\nconnect mtu=100\n* \"00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18\"",
  ])
  func `a conversation passes`(lines: String) async throws {
    #expect(try await failure(of: lines, with: Self.device) == nil)
  }

  @Test(arguments: [
    ("serve news\nserve control\nconnect\n> news  \"a\\n\"\n< control  \"b\"", "5: byte 0 is 0x61, not 0x62"),
    ("serve control\nconnect\n> orders  01", "3: no line expects this: < control  61 6C 6C  \"all\""),
    ("serve time\nconnect\n> time  01", "3: the device has not subscribed to time"),
    ("serve news\nserve control\nconnect\n< control  00", "4: nothing arrived within 5 s"),
  ])
  func `a conversation fails with its reason`(lines: String, message: String) async throws {
    #expect(try await failure(of: lines, with: Self.device) == message)
  }
}
