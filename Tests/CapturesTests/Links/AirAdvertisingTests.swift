import Captures
import Framing
import Testing

@Suite struct AirAdvertisingTests {
  @Test func `legacy packets become advertisements`() {
    #expect(
      airCapture(
        [
          "0 - D6BE898E 4009 0605040302C1 020106", "0 - D6BE898E 010C 665544332211 0605040302C1",
          "0 - D6BE898E 0206 665544332211", "0 - D6BE898E 0607 665544332211 AA",
          // SCAN_REQ, SCAN_RSP
          "0 - D6BE898E 030C 0605040302C1 665544332211", "0 - D6BE898E 0408 665544332211 0109",
        ], channel: 37
      ).lines == [
        "C1:02:03:04:05:06 (random)", "0 connectable channel 37: 02 01 06",
        "11:22:33:44:55:66", "0 directed channel 37", "0 nonConnectable channel 37: ",
        "0 scannable channel 37: AA", "0 scanResponse channel 37: 01 09",
      ])
  }

  /// ADV_EXT_IND has the header, flags, the identifier 0x5123 (set 5), and where the auxiliary packet is.
  static let first = "0 - D6BE898E 0707 06 18 2351 000000"

  @Test func `extended advertising is joined`() {
    #expect(
      airCapture([
        Self.first,
        // AUX_ADV_IND: connectable; address, identifier, auxiliary packet; AUX_CHAIN_IND
        "300 - D6BE898E 070E 4C 19 665544332211 2351 000000 AA", "300 - D6BE898E 0705 03 08 2351 BB",
      ]).lines == ["11:22:33:44:55:66", "0 extended connectable set 5: AA BB"])
    #expect(
      airCapture([
        // ADV_EXT_IND has the address, and AUX_ADV_IND not; AUX_SCAN_REQ, AUX_SCAN_RSP
        "0 - D6BE898E 070D 0C 19 665544332211 2351 000000", "300 - D6BE898E 0704 83 08 2351",
        "300 - D6BE898E 030C 0605040302C1 665544332211", "300 - D6BE898E 0709 07 01 665544332211 DD",
      ]).lines == ["11:22:33:44:55:66", "0 extended scannable set 5: ", "0 scanResponse: DD"])
    // Nobody's; and only the first packet
    #expect(airCapture(["0 - D6BE898E 0704 03 08 2351"]).lines == ["other at 0"])
    #expect(airCapture([Self.first]).lines == [])
  }

  @Test func `periodic advertising is no link`() {
    // AUX_ADV_IND: address, identifier, periodic advertising with the access address 0x44332211
    #expect(
      airCapture([
        "0 - D6BE898E 071C 1B 29 665544332211 2351 0000 0000 0000000000 11223344 0000000000",
        "300 - 11223344 0206 0200 0400 0B55",
      ]).lines == ["11:22:33:44:55:66", "0 extended set 5: "])
  }

  /// The first packet of `pairing-decrypted.pcap`; WHAD has checked its CRC.
  @Test func `a CRC is checked if the sniffer has not done it`() {
    let packet = bytes(
      "D6BE898E 4522 81B3E8465B63 E34791EADA74 F5A6DD92 852F0A 02010024000000F401FFFFFFFF1F06 EC6BA9")
    #expect(links(in: [packet]).lines.count == 3)
    #expect(links(in: [packet]).notes == [])
    var wrong = packet
    wrong[10] ^= 1
    #expect(links(in: [wrong]).lines == ["loss at 0"])
    // The second packet, LL_FEATURE_REQ, with the link's own initial value
    let data = bytes("F5A6DD92 0309 08 FF7D000000000000 5509B6")
    #expect(links(in: [packet, data]).notes == [])
    #expect(links(in: [packet, data.dropLast() + [0xB7]]).notes.map(\.kind) == [.loss])
  }

  private func links(in packets: [[UInt8]]) -> Capture {
    var tracker = LinkTracker(format: "by hand")
    for packet in packets {
      tracker.take(
        CapturedPacket(time: Instant(), layer: .linkLayer(LinkLayerReception()), bytes: packet, offset: 0))
    }
    return tracker.finish()
  }
}
