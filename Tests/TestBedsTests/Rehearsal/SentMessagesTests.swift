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
      report: "B0 {kind: u8} {count: u8} {time: u16be} {weight: u16be} 05 {sum8}"
      other: "B2 {kind: u8} 0A 10"
      third: "B2 {kind: u8} 0B 10"
      unsent: "B1 {anything: bytes(7)}"
    rules:
      - on: { receive: ask, from: FFE1 }
        do:
          - send: report
            with: { kind: kind, count: count, time: uptime // 100 % 65536, weight: "recorded[1].weight" }
          - { send: other, with: { kind: 1 } }
          - { send: third, with: { kind: 1 } }
          - { set: { count: count + 1 } }
    """

  /// With its checksum.
  private func report(_ hex: String, off: UInt8 = 0) throws -> [UInt8] {
    let bytes = try HexText.parse(hex)
    return bytes + [bytes.reduce(off, &+)]
  }

  @Test(arguments: [
    ("only recorded fields differ", "B0 07 01 00 10 FF FF 05", true),
    ("a byte differs that was always the same", "B0 07 01 00 10 FF FF 06", true),
    ("the clock differs as the time of the values does", "B0 07 01 00 13 01 F4 05", true),
    ("the clock is wrong", "B0 07 01 00 30 01 F4 05", false),
    ("another counter", "B0 07 02 00 10 01 F4 05", false), ("another echo", "B0 08 01 00 10 01 F4 05", false),
    ("shorter", "B0 07 01 00 10 01 05", false),
    ("a message that the device never sends", "B1 07 01 00 10 01 F4 05", false),
  ])
  func `in the right form, all that the device computes is right`(
    case name: String, got: String, isAlike: Bool
  ) throws {
    var sent = SentMessages(of: try define(Self.definition))
    let recorded = try report("B0 07 01 00 10 01 F4 05")
    #expect(try sent.areAlike(recorded, report(got), apart: .milliseconds(200)) == isAlike, "\(name)")
    #expect(try !sent.areAlike(recorded, report(got, off: 1), apart: .milliseconds(200)), "\(name)")
  }

  @Test func `a counter that is behind still counts`() throws {
    var sent = SentMessages(of: try define(Self.definition))
    let recorded = try report("B0 07 01 00 10 01 F4 05")
    let others = try ["B0 07 03 00 10 01 F4 05", "B0 07 03 00 10 01 F4 05", "B0 07 04 00 10 01 F4 05"].map {
      try report($0)
    }
    #expect(others.map { sent.areAlike(recorded, $0, apart: .zero) } == [false, true, false])
  }

  /// The third byte tells the second and the third message apart.
  @Test(arguments: [("B2 01 0A 10", "B2 01 0A 11", true), ("B2 01 0A 10", "B2 01 0B 10", false)])
  func `a byte that tells messages apart is no recorded one`(left: String, right: String, isAlike: Bool)
    throws
  {
    var sent = SentMessages(of: try define(Self.definition))
    #expect(try sent.areAlike(HexText.parse(left), HexText.parse(right), apart: .zero) == isAlike)
  }
}
