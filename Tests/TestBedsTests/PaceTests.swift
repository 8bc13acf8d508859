import Testing
import TestSupport

@testable import TestBeds

/// Conversations with a device whose UART runs at 1200 baud: 12 bytes of 10 bits take 100 ms.
@Suite struct PaceTests {
  private static let module = try! define(
    """
    blemu: 1
    name: Module
    settings: { rate: { type: integer, default: 1200 } }
    services:
      - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [write, notify] }] }
    wire: { bridge: serial, baud: rate }
    """)

  @Test(arguments: [("", "0ms"), ("paced\n", "100ms"), ("set rate=4800\npaced\n", "25ms")])
  func `a paced section runs the wire side at the device's speed`(
    head: String, delay: String
  ) async throws {
    let text =
      "\(head)connect\nsubscribe serial\n] wire  \"Hello world!\"\n< serial  \"Hello world!\"  after "
    #expect(try await failure(of: text + delay, with: Self.module) == nil)
    #expect(try await failure(of: text + "24ms", with: Self.module)?.contains("not 24 ms") == true)
  }

  @Test func `bytes that arrive one at a time form one value`() async throws {
    let text = "paced\nconnect\n> serial  \"Hello world!\"\n"
    let rests: [(String, String?)] = [
      ("[ wire  \"Hello world!\"  within 101ms", nil),
      ("[ wire  \"Hello world!\"  within 99ms", "4: 11 bytes, not 12"),
      ("[ wire  \"Hello\"\n[ wire  \" world!\"", nil),
      ("[ wire  \"Hello world?\"", "4: byte 11 is 0x21, not 0x3F"),
    ]
    for (rest, problem) in rests {
      #expect(try await failure(of: text + rest, with: Self.module) == problem)
    }
  }

  @Test func `the buffer of the wire side loses the bytes that it has no room for`() async throws {
    let device = try define(
      """
      blemu: 1
      name: Serial
      services:
        - uuid: FFE0
          characteristics: [{ id: serial, uuid: FFE1, properties: [write, write-without-response, notify] }]
      wire: { bridge: serial, baud: 100, buffer: 4 }
      """)
    let text = """
      paced
      connect
      >! serial  01 02 03
      >! serial  04 05 06
      > serial   07
      [ wire  01 02 03 04  within 1s
      silence 1s
      > serial  08 09 0A 0B 0C
      [ wire  08 09 0A 0B  within 1s
      silence 1s
      """
    #expect(try await failure(of: text, with: device) == nil)
  }
}

/// Conversations on a link whose values wait for its connection events.
@Suite struct LinkTimeTests {
  private static let device = try! define(
    """
    blemu: 1
    name: Lock
    services:
      - uuid: FFE0
        characteristics:
          - { id: c, uuid: FFE1, properties: [read, write, write-without-response, notify], value: "00" }
    rules:
      - { on: { receive: { bytes: "01" } }, do: { send: { bytes: "02" } } }
      - { on: { receive: { bytes: "05" } }, do: { repeat: 6, do: { send: { bytes: "03" } } } }
      - { on: { receive: { bytes: "06" } }, do: { disconnect: central } }
    """)

  @Test(arguments: [
    ("", "60ms"), ("parameters interval=7.5ms\n", "15ms"), ("parameters interval=1s timeout=6s\n", "2s"),
  ])
  func `an answer comes an event after the question`(parameters: String, time: String) async throws {
    let text = "connect\nsubscribe c\n\(parameters)> c 01\n< c 02  after "
    #expect(try await failure(of: "link-time\n" + text + time, with: Self.device) == nil)
    #expect(try await failure(of: text + "0ms", with: Self.device) == nil)
  }

  @Test(arguments: [
    // The response and three values leave at one event.
    (
      "> c 05\n< c 03  after 60ms\n< c 03  after 0ms\n< c 03  after 0ms\n< c 03  after 30ms\n< c 03\n< c 03",
      nil
    ),
    // A device that has nothing to send listens at each fifth event, and answers at the next one.
    ("parameters interval=100ms latency=4\n>! c 01\n< c 02  after 600ms", nil),
    // A command waits as well.
    (">! c 01\n< c 02  after 59ms", "6: arrived 60 ms after line 5, not 59 ms"),
    ("> c 06\ndisconnected  after 60ms", nil),
    // Within the supervision timeout, packets are repeated.
    ("fault leave range for 4s\n>! c 01\n< c 02  after 4s..4060ms", nil),
    (
      "fault leave range\nread c\n! unlikely-error\ndisconnected  after 5s\nno faults\nconnect\nread c\n= 00",
      nil
    ),
  ])
  func `packets leave at events`(lines: String, problem: String?) async throws {
    let text = "link-time\n\nconnect\nsubscribe c\n" + lines
    #expect(try await failure(of: text, with: Self.device) == problem)
  }

  @Test func `a radio that loses packets takes longer`() async throws {
    let text = "link-time\nfault lose 50% of packets\nconnect\nsubscribe c\n> c 01\n< c 02  after "
    #expect(try await failure(of: text + "60ms", with: Self.device) != nil)
    #expect(try await failure(of: text + "90ms..1s", with: Self.device) == nil)
  }
}
