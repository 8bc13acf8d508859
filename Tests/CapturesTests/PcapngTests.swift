import HCIPackets
import Framing
import Testing

@testable import Captures

@Suite struct PcapngTests {
  private static let section = bytes(
    "0A 0D 0D 0A  1C 00 00 00  4D 3C 2B 1A  01 00 00 00  FF FF FF FF FF FF FF FF  1C 00 00 00")

  private static func block(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    let length = [UInt8(padded.count + 12), 0, 0, 0]
    return [type, 0, 0, 0] + length + padded + length
  }

  /// - Parameter options: after the longest packet, which is unlimited.
  private static func interface(_ linkType: UInt8, _ options: String = "") -> [UInt8] {
    block(1, [linkType, 0, 0, 0, 0, 0, 0, 0] + bytes(options))
  }

  private static func packet(_ interface: UInt8, _ time: String, _ packet: String) -> [UInt8] {
    let packet = bytes(packet)
    let length = [UInt8(packet.count), 0, 0, 0]
    return block(6, [interface, 0, 0, 0] + bytes(time) + length + length + packet)
  }

  /// 1,600,000,000.001 s in microseconds: 0x0005AF31_07A403E8.
  private static let time = "31 AF 05 00  E8 03 A4 07"
  private static let instant = Instant(microseconds: 1_600_000_000_001_000)

  @Test func `interfaces of different link types, and blocks of other kinds`() throws {
    let file = try CaptureFile(
      Self.section + Self.interface(1) + Self.interface(187) + Self.interface(251)
        + Self.block(0x0B, bytes("01 02 03 04 05"))
        + Self.packet(1, Self.time, "04 0E 04 01 03") + Self.packet(0, Self.time, "FF FF FF")
        + Self.packet(2, Self.time, "D6 BE 89 8E 00 00 11 22 33"))
    let packets = file.packets
    #expect(packets.map(\.layer) == [.hci(type: 4, adapter: 0, nil), .linkLayer(LinkLayerReception())])
    #expect(packets.map(\.bytes) == [bytes("0E 04 01 03"), bytes("D6 BE 89 8E 00 00 11 22 33")])
    #expect(packets.map(\.time) == [Self.instant, Self.instant])
    #expect(packets.map(\.offset) == [28 + 60 + 20, 28 + 60 + 20 + 40 + 36])
    #expect(file.notes == [CaptureNote(.other, "Packets of link type 1 (Ethernet) are left out.")])
    #expect(file.format == "pcapng (HCI, H4; Link Layer)")
  }

  @Test(arguments: [
    ("09 00 01 00 09 00 00 00", "6A 65 7B 16  15 CD 7D BF", 1_620_000_000_123_456),
    ("09 00 01 00 03 00 00 00", "79 01 00 00  7B 48 86 2F", 1_620_000_000_123_000),
    ("09 00 01 00 8A 00 00 00", "01 00 00 00  00 02 00 00", 4_194_304_500_000),
    ("0E 00 08 00 E8 03 00 00 00 00 00 00", "00 00 00 00  05 00 00 00", 1_000_000_005),
    ("02 00 03 00 65 6D 75 00  09 00 01 00 06 00 00 00  00 00 00 00", "00 00 00 00  07 00 00 00", 7),
  ])
  func `the clock of an interface`(options: String, time: String, expected: Int64) throws {
    let file = try CaptureFile(Self.section + Self.interface(187, options) + Self.packet(0, time, "04 0E"))
    #expect(file.next()?.time == Instant(microseconds: expected))
  }

  @Test func `a section in the other byte order, after one in this order`() throws {
    let file = try CaptureFile(
      Self.section + Self.interface(187) + Self.packet(0, Self.time, "04 0E")
        + bytes(
          """
          0A 0D 0D 0A  00 00 00 1C  1A 2B 3C 4D  00 01 00 00  FF FF FF FF FF FF FF FF  00 00 00 1C
          00 00 00 01  00 00 00 14  00 C9 00 00  00 00 00 00  00 00 00 14
          00 00 00 06  00 00 00 28  00 00 00 00  00 05 AF 31 07 A4 03 E8  00 00 00 06  00 00 00 09
          00 00 00 01 04 0E 00 00  00 00 00 28
          """))
    let packets = file.packets
    #expect(packets.map(\.layer) == [.hci(type: 4, adapter: 0, nil), .hci(type: 4, adapter: 0, .toHost)])
    #expect(packets.map(\.time) == [Self.instant, Self.instant])
    #expect(packets.map(\.omitted) == [0, 3])
    #expect(file.notes == [])
    #expect(file.format == "pcapng (HCI, H4; HCI, H4 with direction)")
  }

  /// The longest packet of the interface is 3 bytes.
  @Test func `a simple packet is of the first interface and has no time`() throws {
    let file = try CaptureFile(
      Self.section + Self.block(1, [187, 0, 0, 0, 3, 0, 0, 0]) + Self.block(3, bytes("05 00 00 00 04 0E 04")))
    let packet = try #require(file.next())
    #expect(packet.bytes == [0x0E, 0x04])
    #expect((packet.omitted, packet.time) == (2, Instant()))
  }

  @Test(arguments: [
    (packet(1, time, "04 0E"), "A packet is of interface 1, which the file does not describe."),
    (bytes("06 00 00 00  0B 00 00 00"), "A block claims to have 11 bytes."),
    (bytes("06 00 00 00  FC FF FF FF"), "A record claims to have 4294967280 bytes."),
    (bytes("05 00 00 00  0C 00 00 00  10 00 00 00"), "The two lengths of a block differ."),
    (
      block(6, bytes("00 00 00 00") + bytes(time) + bytes("05 00 00 00 05 00 00 00 04 0E")),
      "A packet is longer than its block."
    ),
    (block(6, [0]), "A packet is longer than its block."),
    (Array(packet(0, time, "04 0E").dropLast()), "The file ends within a record."),
  ])
  func `damage has a place, and what precedes it is read`(damage: [UInt8], text: String) throws {
    let file = try CaptureFile(
      Self.section + Self.interface(187) + Self.packet(0, Self.time, "04 0E") + damage)
    #expect(file.packets.count == 1)
    #expect(file.notes == [CaptureNote(.damage, text, offset: 28 + 20 + 36)])
  }

  @Test func `no interface is of Bluetooth`() {
    let file = Self.section + Self.interface(1) + Self.packet(0, Self.time, "FF") + Self.interface(113)
    #expect(throws: CaptureFileError.Reason.foreignLinkTypes([1, 113])) { try CaptureFile(file) }
  }

  @Test func `a file without an interface has no packets`() throws {
    let file = try CaptureFile(Self.section)
    #expect(file.next() == nil)
  }
}
