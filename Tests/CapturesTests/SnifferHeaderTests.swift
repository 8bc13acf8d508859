import Testing

@testable import Captures

/// The headers of link types 256 and 272.
@Suite struct SnifferHeaderTests {
  private static func unwrap(_ type: LinkType, _ text: String) -> (LinkLayerReception, [UInt8])? {
    let record = Record(.link(type), at: .init(), bytes(text)[...])
    guard let packet = record.packet(offset: 0), case .linkLayer(let reception) = packet.layer else {
      return nil
    }
    return (reception, packet.bytes)
  }

  /// CRC right, from the central, on channel 5, -60 dBm.
  private static let event = "03 05 3C 07 00 96 00 00 00"

  @Test(arguments: [
    // RF channel 13 is 2428 MHz; flags 0x0D03: dewhitened, with signal, from the central (2 << 7), CRC checked and right
    (LinkType.linkLayerWithRadio, "0D D4 80 00 00 00 00 00 03 0D", 11, -44),
    // Protocol versions 1 to 3, and the one before them
    (.nordic, "01 06 13 01 34 12 06 0A \(event)", 5, -60),
    (.nordic, "01 13 00 02 34 12 06 0A \(event)", 5, -60),
    (.nordic, "01 13 00 03 34 12 06 0A \(event)", 5, -60),
    (.nordic, "BE EF 06 34 12 00 00 12 \(event)", 5, -60),
  ])
  func `the header of a packet from the central`(type: LinkType, header: String, channel: UInt8, rssi: Int8)
    throws
  {
    let (reception, packet) = try #require(Self.unwrap(type, "\(header)  F5 A6 DD 92 01 00 69 70 2B"))
    var expected = LinkLayerReception()
    (expected.channel, expected.rssi) = (channel, rssi)
    (expected.sender, expected.hasRightCRC) = (.central, true)
    #expect(reception == expected)
    #expect(packet == bytes("F5 A6 DD 92 01 00 69 70 2B"))
  }

  private static func radio(_ flags: String) -> String { "00 D4 80 00 00 00 00 00 \(flags)  D6 BE 89 8E" }
  private static func nordic(_ flags: String) -> String {
    "01 13 00 03 34 12 06 0A \(flags) 05 3C 07 00 96 00 00 00  F5 A6 DD 92"
  }

  @Test(
    arguments: [
      (.linkLayerWithRadio, radio("01 00"), nil, nil, false),  // dewhitened
      (.linkLayerWithRadio, radio("01 04"), false, nil, false),  // CRC checked and wrong
      // Decrypted, from the peripheral (3 << 7), CRC checked and right; from it on an isochronous stream (5 << 7)
      (.linkLayerWithRadio, radio("89 0D"), true, .peripheral, true),
      (.linkLayerWithRadio, radio("81 0E"), true, .peripheral, false),
      // CRC wrong; CRC right and encrypted; also the MIC right
      (.nordic, nordic("00"), false, .peripheral, false), (.nordic, nordic("05"), true, .peripheral, false),
      (.nordic, nordic("0D"), true, .peripheral, true),
    ] as [(LinkType, String, Bool?, LinkRole?, Bool)])
  func `the flags of a header`(
    type: LinkType, start: String, crc: Bool?, sender: LinkRole?, isDecrypted: Bool
  )
    throws
  {
    let (reception, _) = try #require(Self.unwrap(type, "\(start) 01 00 69 70 2B"))
    #expect(reception.hasRightCRC == crc)
    #expect(reception.sender == sender)
    #expect(reception.isDecrypted == isDecrypted)
  }

  /// Bits 14 and 15 of the flags: 2.
  @Test func `the coding indicator of the coded PHY is left out`() throws {
    let (reception, packet) = try #require(
      Self.unwrap(.linkLayerWithRadio, "\(Self.radio("01 80")) 01 07 00 69 70 2B"))
    #expect(reception.rssi == nil)
    #expect(reception.channel == 37)
    #expect(packet == bytes("D6 BE 89 8E 07 00 69 70 2B"))
  }

  @Test func `RF channels become channel indices`() {
    let channels = (0...39).map { channel in
      let digits = String(channel + 256, radix: 16).dropFirst()
      return Self.unwrap(.linkLayerWithRadio, "\(digits) 00 00 00 00 00 00 00 01 00  01 02 03 04 00 00")?.0
        .channel
    }
    #expect(channels == [37] + Array(0...10) + [38] + Array(11...36) + [39])
  }

  @Test func `a whitened packet cannot be read`() {
    #expect(Self.unwrap(.linkLayerWithRadio, "\(Self.radio("02 00")) 01 00 69 70 2B") == nil)
  }

  @Test func `an advertising packet has no sender, and other messages of the sniffer are remarks`() throws {
    let advertising = "01 13 00 03 34 12 02 0A 07 25 3C 07 00 96 00 00 00  D6 BE 89 8E 00 00 69 70 2B"
    let (reception, _) = try #require(Self.unwrap(.nordic, advertising))
    #expect(reception.sender == nil)
    #expect(reception.channel == 37)
    let ping = Record(.link(.nordic), at: .init(), bytes("01 02 00 03 34 12 0E 11 22")[...])
    #expect(ping.packet(offset: 0)?.layer == .remark)
  }

  @Test(arguments: [LinkType.nordic, .linkLayerWithRadio, .h4, .h4WithDirection, .monitor])
  func `a packet that ends within its header is none`(type: LinkType) {
    #expect(Record(.link(type), at: .init(), []).packet(offset: 0) == nil)
  }

  @Test func `a recording of WHAD has channel indices`() throws {
    let file = try CaptureFile.open(recording("pairing-decrypted.pcap"))
    let packets = file.packets
    var senders: [LinkRole?: Int] = [:]
    for case .linkLayer(let reception) in packets.map(\.layer) { senders[reception.sender, default: 0] += 1 }
    guard case .linkLayer(let first)? = packets.first?.layer else {
      Issue.record("the first packet is none of the Link Layer")
      return
    }
    #expect(file.format == "pcap (Link Layer with radio header)")
    #expect(senders == [nil: 13, .central: 794, .peripheral: 797])
    #expect((first.channel, first.rssi, first.hasRightCRC) == (37, -44, true))
    #expect(file.notes == [])
  }
}
