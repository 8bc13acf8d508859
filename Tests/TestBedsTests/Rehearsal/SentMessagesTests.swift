import DeviceModel
import Framing
import TestSupport
import Testing

@testable import TestBeds

/// Which values have the right form.
@Suite struct SentMessagesTests {
  private static let definition = """
    blemu: 1
    name: Meter
    variables: { count: { type: integer, default: 0 } }
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [write, notify] }
    data: { recorded: { key: [row], columns: { row: integer, weight: integer }, rows: [[1, 500]] } }
    messages:
      ask: "A0 {kind: u8}"
      report: "B0 {kind: u8} {count: u8} {time: u16be} {weight: u16be} {sum8}"
      unsent: "B1 {anything: bytes(6)}"
    rules:
      - on: { receive: ask, from: FFE1 }
        do:
          - send: report
            with: { kind: kind, count: count, time: uptime // 100 % 65536, weight: "recorded[1].weight" }
          - { set: { count: count + 1 } }
    """

  @Test(arguments: [
    ("only recorded fields differ", "B0 07 01 00 10 FF FF C6", true),
    ("the clock differs as the time of the values does", "B0 07 01 00 13 01 F4 C0", true),
    ("the clock is wrong", "B0 07 01 00 30 01 F4 DD", false),
    ("another counter", "B0 07 02 00 10 01 F4 BE", false), ("another echo", "B0 08 01 00 10 01 F4 BE", false),
    ("another checksum", "B0 07 01 00 10 FF FF C7", false), ("shorter", "B0 07 01 00 10 01 BE", false),
    ("a message that the device never sends", "B1 07 01 00 10 01 F4", false),
  ])
  func `in the right form, all that the device computes is right`(
    case name: String, got: String, isAlike: Bool
  ) throws {
    let sent = SentMessages(of: try define(Self.definition))
    let recorded = try HexText.parse("B0 07 01 00 10 01 F4 BD")
    let bytes = try HexText.parse(got)
    #expect(sent.areAlike(recorded, bytes, apart: .milliseconds(200)) == isAlike, "\(name)")
  }
}
