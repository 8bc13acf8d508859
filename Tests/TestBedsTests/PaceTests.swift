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
}
