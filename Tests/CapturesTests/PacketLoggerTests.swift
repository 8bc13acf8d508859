import HCIPackets
import Framing
import Testing

@testable import Captures

@Suite struct PacketLoggerTests {
  /// In the order of old versions: a command, an event, data in both ways, and a line of the log at 1,600,000,000.001 s.
  private static let records = [
    "00 00 00 0C  5F 5E 10 00  00 00 03 E8  00  03 0C 00",
    "00 00 00 0D  5F 5E 10 00  00 00 03 E8  01  0E 04 01 03",
    "00 00 00 0D  5F 5E 10 00  00 00 03 E8  02  40 20 00 00",
    "00 00 00 0D  5F 5E 10 00  00 00 03 E8  03  40 20 00 00",
    "00 00 00 0B  5F 5E 10 00  00 00 03 E8  FC  68 69",
  ]

  @Test(arguments: [false, true])
  func `both byte orders`(isLittleEndian: Bool) throws {
    let records = Self.records.map(bytes).map { record in
      guard isLittleEndian else { return record }
      return [0, 4, 8].flatMap { record[$0..<($0 + 4)].reversed() } + record[12...]
    }
    let file = try CaptureFile(Array(records.joined()))
    let packets = file.packets
    #expect(
      packets.map(\.layer) == [
        .hci(type: 1, adapter: 0, .toController), .hci(type: 4, adapter: 0, .toHost),
        .hci(type: 2, adapter: 0, .toController), .hci(type: 2, adapter: 0, .toHost), .remark,
      ])
    #expect(packets.first?.bytes == [0x03, 0x0C, 0x00])
    #expect(Set(packets.map(\.time)) == [Instant(microseconds: 1_600_000_000_001_000)])
    #expect(packets.map(\.offset) == [0, 16, 33, 50, 67])
    #expect(file.notes == [])
    #expect(file.format == "PacketLogger")
  }

  @Test func `a note of the recorder is none of the recording's times`() throws {
    let note = bytes("00 00 00 0B  5F 5E 00 00  00 00 00 00  FC  68 69")
    let capture = Capture(try CaptureFile(note + bytes(Self.records[0])))
    #expect(capture.packetCount == 2)
    #expect(capture.start == Instant(microseconds: 1_600_000_000_001_000))
    #expect(capture.end == capture.start)
  }

  @Test(arguments: [
    ("00 00 00 08  5F 5E 10 00  00 00 03 E8  00", "A record of 8 bytes is too short for its header."),
    ("00 00 00 0C  5F 5E 10 00  00 00 03 E8  00  03 0C", "The file ends within a record."),
    ("00 00 00", "The file ends within a record."),
  ])
  func `damage has a place`(record: String, text: String) throws {
    let file = try CaptureFile(bytes(Self.records[0]) + bytes(record))
    #expect(file.packets.count == 1)
    #expect(file.notes == [CaptureNote(.damage, text, offset: 16)])
  }
}
