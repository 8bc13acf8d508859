import TestSupport
import Testing

@testable import Behavior

/// The HM-10 as a cable: what is written to FFE1 comes out of its UART, and back.
@Suite struct WireBridgeTests {
  func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try Conversation(bundled("hm-10-cable"))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  @Test func `bytes pass both ways as they are`() throws {
    try expect(
      """
      > FFE1 48 65 6C 6C 6F 0D 0A
      [ 48 65 6C 6C 6F 0D 0A
      ] 4F 4B
      < FFE1 4F 4B
      > FFE1 00 FF
      [ 00 FF
      2> FFE1 01
      [ 01
      """)
  }

  @Test func `bytes from the wire side become one value of any length`() throws {
    let long = String(repeating: " 55", count: 45)
    try expect("]\(long)\n< FFE1\(long)")
  }

  @Test func `the address is read before any data, afterwards the last data`() throws {
    try expect(
      """
      ? FFE1
      = 50 8C B1 6A 7C AB
      ? FFE1/0
      = 48 4D 53 6F 66 74
      > FFE1 41 54
      [ 41 54
      ? FFE1
      = 41 54
      ] 4F 4B
      < FFE1 4F 4B
      ? FFE1
      = 4F 4B
      """)
  }
}
