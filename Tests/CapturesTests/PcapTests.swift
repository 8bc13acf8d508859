import HCIPackets
import Framing
import Testing

@testable import Captures

@Suite struct PcapTests {
  /// 2020-09-13 12:26:40 (0x5F5E1000 s), and 1 ms later.
  private static let time = Instant(microseconds: 1_600_000_000_001_000)

  /// A head with this link type, and a packet of 5 bytes, of which the last two are omitted.
  private static func file(_ linkType: String, _ packet: String) -> [UInt8] {
    let packet = bytes(packet)
    return bytes("D4 C3 B2 A1  02 00 04 00  00 00 00 00  00 00 00 00  FF FF 00 00 \(linkType) 00 00")
      + bytes("00 10 5E 5F  E8 03 00 00") + [UInt8(packet.count), 0, 0, 0, UInt8(packet.count), 0, 0, 0]
      + packet
  }

  private static func packet(_ linkType: String, _ packet: String) throws -> CapturedPacket? {
    try CaptureFile(file(linkType, packet)).next()
  }

  @Test(arguments: [
    ("D4 C3 B2 A1", "02 00 04 00", "BB 00 00 00", "00 10 5E 5F  E8 03 00 00", "04 00 00 00  06 00 00 00"),
    ("A1 B2 C3 D4", "00 02 00 04", "00 00 00 BB", "5F 5E 10 00  00 00 03 E8", "00 00 00 04  00 00 00 06"),
    ("4D 3C B2 A1", "02 00 04 00", "BB 00 00 00", "00 10 5E 5F  40 42 0F 00", "04 00 00 00  06 00 00 00"),
    ("A1 B2 3C 4D", "00 02 00 04", "00 00 00 BB", "5F 5E 10 00  00 0F 42 40", "00 00 00 04  00 00 00 06"),
  ])
  func `every byte order and clock`(
    magic: String, version: String, linkType: String, time: String, lengths: String
  ) throws {
    let reserved = "00 00 00 00  00 00 00 00  00 00 00 00"
    let head = bytes(magic) + bytes(version) + bytes(reserved) + bytes(linkType)
    let file = try CaptureFile(head + bytes(time) + bytes(lengths) + bytes("04 0E 04 01"))
    let packet = try #require(file.next())
    #expect(packet.time == Self.time)
    #expect(packet.layer == .hci(type: 4, adapter: 0, nil))
    #expect(packet.bytes == [0x0E, 0x04, 0x01])
    #expect((packet.omitted, packet.offset) == (2, 24))
    #expect(file.next() == nil)
    #expect(file.notes == [])
    #expect(file.format == "pcap (HCI, H4)")
  }

  @Test func `link type 201 has the direction before the packet`() throws {
    #expect(
      try Self.packet("C9 00", "00 00 00 00 01 03 0C 00")?.layer == .hci(type: 1, adapter: 0, .toController))
    #expect(
      try Self.packet("C9 00", "00 00 00 01 02 40 20 00 00")?.layer == .hci(type: 2, adapter: 0, .toHost))
  }

  @Test func `link type 254 has the adapter and the opcode before the packet`() throws {
    let packet = try #require(try Self.packet("FE 00", "00 01 00 05 40 20 00 00"))
    #expect(packet.layer == .hci(type: 2, adapter: 1, .toHost))
    #expect(packet.bytes == [0x40, 0x20, 0x00, 0x00])
    #expect(try Self.packet("FE 00", "FF FF 00 0C 68 69 00")?.layer == .remark)
  }

  @Test(arguments: ["FB 00", "93 00"]) func `link type 192 has headers before the packet`(inner: String)
    throws
  {
    // A header of PPI of 12 bytes.
    let packet = try #require(
      try Self.packet("C0 00", "00 00 0C 00 \(inner) 00 00  AA BB CC DD  D6 BE 89 8E 00 00 11 22 33"))
    #expect(packet.layer == .linkLayer(LinkLayerReception()))
    #expect(packet.bytes == bytes("D6 BE 89 8E 00 00 11 22 33"))
    #expect(try Self.packet("C0 00", "00 00 FF 00 \(inner) 00 00") == nil)
  }

  @Test func `records after a damaged length are found`() throws {
    let file = Self.file("BB 00", "04 0E 04 01 03 0C 00")
    var damaged = file + file[24...] + file[24...] + file[24...]
    damaged[24 + 23 + 10] = 0xFF
    let read = try CaptureFile(damaged)
    #expect(read.packets.count == 3)
    #expect(read.notes.map(\.text) == ["A record claims to have 16711687 bytes. 23 bytes are left out."])
  }

  @Test func `link type 251 is the packet`() throws {
    let packet = try #require(try Self.packet("FB 00", "D6 BE 89 8E 00 00 11 22 33"))
    #expect(packet.layer == .linkLayer(LinkLayerReception()))
    #expect(packet.bytes == bytes("D6 BE 89 8E 00 00 11 22 33"))
  }

  @Test func `a packet that is shorter than its header is counted`() throws {
    let second = Self.file("C9 00", "00 00 00 00 01 03 0C 00")[24...]
    let file = try CaptureFile(Self.file("C9 00", "00 00 00") + second)
    #expect(file.packets.count == 1)
    #expect(
      file.notes == [
        CaptureNote(
          .loss, "1 packet cannot be read: too short for the headers, or still whitened.", offset: 24)
      ])
  }

  @Test func `zeros at the end are damage`() throws {
    let file = try CaptureFile(
      Self.file("C9 00", "00 00 00 00 01 03 0C 00") + [UInt8](repeating: 0, count: 100))
    #expect(file.packets.count == 1)
    #expect(file.notes == [CaptureNote(.damage, "A record has only zeros.", offset: 48)])
  }

  @Test func `a link type that is not of Bluetooth`() {
    #expect(throws: CaptureFileError.Reason.foreignLinkTypes([1])) {
      try CaptureFile(Self.file("01 00", "00"))
    }
    #expect(
      CaptureFileError(path: "log.pcap", .foreignLinkTypes([1, 9])).description
        == "log.pcap is a recording of link types 1 (Ethernet), 9, not of Bluetooth LE. blemu reads the link types 187, "
        + "192, 201, 251, 254, 256 and 272.")
  }
}
