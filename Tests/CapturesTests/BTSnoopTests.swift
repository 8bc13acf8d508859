import HCIPackets
import Framing
import TestSupport
import Testing

@testable import Captures

@Suite struct BTSnoopTests {
  /// The head with data link 1002, and the command Reset and its time.
  private static let reset = bytes(
    """
    62 74 73 6E 6F 6F 70 00  00 00 00 01  00 00 03 EA
    00 00 00 04  00 00 00 04  00 00 00 02  00 00 00 00  00 E2 F0 6D 54 89 00 01  01 03 0C 00
    """)

  private static func head(_ dataLink: String) -> [UInt8] {
    bytes("62 74 73 6E 6F 6F 70 00  00 00 00 01") + bytes(dataLink)
  }

  @Test func `the time counts from the year 0`() throws {
    let file = try CaptureFile(Self.reset)
    let packet = try #require(file.next())
    #expect(packet.layer == .hci(type: 1, adapter: 0, .toController))
    #expect(packet.bytes == [0x03, 0x0C, 0x00])
    #expect(packet.offset == 16)
    // 0x00E2F06D54890001 less 0x00DCDDB30F2F8000.
    #expect(packet.time == Instant(microseconds: 0x00E2_F06D_5489_0001 - 0x00DC_DDB3_0F2F_8000))
    #expect(file.next() == nil)
    #expect(file.notes == [])
    #expect(file.format == "btsnoop (HCI, H4)")
  }

  @Test func `the flags of data link 1001 tell the type of a packet`() throws {
    let records = (0...3).map { flags in
      bytes("00 00 00 01  00 00 00 01  00 00 00 0\(flags)  00 00 00 00  00 E2 F0 6D 54 89 00 00  AA")
    }
    let file = try CaptureFile(Self.head("00 00 03 E9") + records.joined())
    #expect(
      file.packets.map(\.layer) == [
        .hci(type: 2, adapter: 0, .toController), .hci(type: 2, adapter: 0, .toHost),
        .hci(type: 1, adapter: 0, .toController), .hci(type: 4, adapter: 0, .toHost),
      ])
    #expect(file.format == "btsnoop (HCI, H1)")
  }

  @Test func `the monitor's flags are the adapter and the opcode`() throws {
    func record(_ flags: String) -> [UInt8] {
      bytes("00 00 00 01  00 00 00 01  \(flags)  00 00 00 00  00 E2 F0 6D 54 89 00 00  AA")
    }
    let flags = [
      "00 01 00 02", "00 00 00 03", "00 01 00 04", "00 01 00 05", "00 00 00 13", "FF FF 00 0D", "00 01 00 00",
    ]
    let file = try CaptureFile(Self.head("00 00 07 D1") + flags.flatMap(record))
    #expect(
      file.packets.map(\.layer) == [
        .hci(type: 1, adapter: 1, .toController), .hci(type: 4, adapter: 0, .toHost),
        .hci(type: 2, adapter: 1, .toController), .hci(type: 2, adapter: 1, .toHost),
        .hci(type: 5, adapter: 0, .toHost), .remark, .remark,
      ])
    #expect(file.format == "btsnoop (Linux monitor)")
  }

  @Test func `a record may have less than the packet, and tells how many packets are lost`() throws {
    let file = try CaptureFile(
      Self.reset
        + bytes("00 00 00 09  00 00 00 04  00 00 00 01  00 00 00 03  00 E2 F0 6D 54 89 00 02  02 40 20 05"))
    #expect(file.packets.map(\.omitted) == [0, 5])
    #expect(file.notes == [CaptureNote(.loss, "The recorder lost 3 packets.", offset: 44)])
  }

  @Test func `everything before the end of a cut file is read`() throws {
    for length in 45..<72 {
      let file = try CaptureFile(Array((Self.reset + Self.reset[16...]).prefix(length)))
      #expect(file.packets.count == 1)
      #expect(file.notes == [CaptureNote(.damage, "The file ends within a record.", offset: 44)])
    }
  }

  @Test func `zeros at the end are damage`() throws {
    let file = try CaptureFile(Self.reset + [UInt8](repeating: 0, count: 1000))
    #expect(file.packets.count == 1)
    #expect(file.notes == [CaptureNote(.damage, "A record has only zeros.", offset: 44)])
  }

  @Test func `a length that cannot be is damage`() throws {
    let file = try CaptureFile(
      Self.reset + bytes("FF FF FF FF  FF FF FF FF  00 00 00 00  00 00 00 00  00 00 00 00 00 00 00 00"))
    #expect(file.packets.count == 1)
    #expect(
      file.notes == [CaptureNote(.damage, "A record claims to have 4294967295 bytes.", offset: 44)])
  }

  @Test(arguments: [
    ("00 FF FF FF", "A record claims to have 16777215 bytes."),
    ("00 00 20 00", "The header of a record is damaged."),
  ])
  func `records after a damaged length are found`(length: String, text: String) throws {
    // An event of 6 bytes, whose length is damaged, among commands.
    let event = bytes(
      "00 00 00 07 \(length) 00 00 00 03 00 00 00 00  00 E2 F0 6D 54 89 00 01  04 0E 04 01 03 0C 00")
    let records = (0..<5).map { _ in Array(Self.reset[16...]) }
    var file = try CaptureFile(
      Self.reset[..<16] + records[0] + event + records[1] + records[2] + records[3] + records[4])
    #expect(file.packets.count(where: { $0.bytes == [0x03, 0x0C, 0x00] }) == 5)
    #expect(file.notes.first?.text == "\(text) 31 bytes are left out.")
    // Nothing comes after it.
    file = try CaptureFile(Self.reset + event.prefix(28))
    #expect(file.packets.count == 1)
    #expect(file.notes.count == 1)
  }

  @Test func `flags of its own are no damage`() throws {
    var reset = Self.reset
    reset[16 + 8] = 0x80
    #expect(try CaptureFile(reset + Self.reset[16...]).packets.count == 2)
  }

  /// Packets of each type, from the host, and the first and last time: counted with a program of a few lines of Python.
  @Test(arguments: [
    ("jk-b1a20s15p", [0, 0, 124, 0, 0], 26, 1_663_174_235_314_147, 1_663_174_256_447_247),
    ("jk-b5a24s", [0, 3, 2430, 0, 4], 46, 1_668_639_327_822_701, 1_668_639_403_326_468),
    ("jk-bd6a24s10p", [0, 0, 870, 0, 0], 34, 1_635_290_201_238_434, 1_635_290_226_968_695),
    ("treadmill", [0, 4, 1659, 0, 66], 310, 1_612_150_087_454_817, 1_612_150_202_304_942),
  ])
  func `a real recording has this many packets`(
    name: String, types: [Int], sent: Int, first: Int64, last: Int64
  ) throws {
    let file = try CaptureFile.open(recording("\(name).btsnoop"))
    let packets = file.packets
    var counts = [0, 0, 0, 0, 0]
    var sentCount = 0
    for case .hci(let type, 0, let direction?) in packets.map(\.layer) {
      counts[Int(type)] += 1
      if direction == .toController { sentCount += 1 }
    }
    #expect(counts == types)
    #expect(sentCount == sent)
    #expect(packets.first?.time == Instant(microseconds: first))
    #expect(packets.last?.time == Instant(microseconds: last))
    #expect(file.notes == [])
  }
}
