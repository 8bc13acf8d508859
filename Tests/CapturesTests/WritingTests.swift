import HCIPackets
import Captures
import Framing
import TestSupport
import Testing

struct WritingTests {
  @Test(
    arguments: [
      ("a.pcapng", .pcapng), ("folder.log/a.PCAPNG", .pcapng), ("a.btsnoop", .btsnoop),
      ("btsnoop_hci.log", .btsnoop), ("a", nil), ("a.pcap", nil), (".pcapng", nil), ("a.log/", nil),
      ("", nil),
    ] as [(String, WrittenFormat?)])
  func `the extension of a file chooses its format`(path: String, format: WrittenFormat?) {
    #expect(WrittenFormat(path: path) == format)
  }

  @Test func `a file of pcapng begins with a section and an interface`() {
    let header = bytes(
      """
      0A 0D 0D 0A  2C 00 00 00  4D 3C 2B 1A  01 00 00 00  FF FF FF FF FF FF FF FF
      04 00 05 00  62 6C 65 6D 75 00 00 00  00 00 00 00  2C 00 00 00
      01 00 00 00  20 00 00 00  C9 00 00 00  00 00 00 00  09 00 01 00  06 00 00 00  00 00 00 00  20 00 00 00
      """)
    #expect(WrittenFormat.pcapng.header == header)
  }

  /// 2026-11-27 01:00:00.000001 UTC is 1,795,741,200,000,001 µs, 0x6_6137_9455_A401.
  static let time = Instant(microseconds: 0x0006_6137_9455_A401)

  @Test func `a packet of pcapng has its direction, its time and its comment`() {
    let packet = WrittenPacket(
      time: Self.time, direction: .toHost, bytes: [0x04, 0x05, 0x04, 0x00, 0x40, 0x00, 0x13], comment: "bye")
    let record = bytes(
      """
      06 00 00 00  38 00 00 00  00 00 00 00  37 61 06 00  01 A4 55 94  0B 00 00 00  0B 00 00 00
      00 00 00 01  04 05 04 00 40 00 13  00
      01 00 03 00  62 79 65 00  00 00 00 00  38 00 00 00
      """)
    #expect(WrittenFormat.pcapng.record(of: packet) == record)
  }

  @Test func `a packet of pcapng without a comment has no options`() {
    let packet = WrittenPacket(time: Self.time, direction: .toController, bytes: [0x01, 0x03, 0x0C, 0x00])
    let record = bytes(
      """
      06 00 00 00  28 00 00 00  00 00 00 00  37 61 06 00  01 A4 55 94  08 00 00 00  08 00 00 00
      00 00 00 00  01 03 0C 00  28 00 00 00
      """)
    #expect(WrittenFormat.pcapng.record(of: packet) == record)
  }

  @Test func `a file of btsnoop begins with its name, version and data link`() {
    #expect(WrittenFormat.btsnoop.header == bytes("62 74 73 6E 6F 6F 70 00  00 00 00 01  00 00 03 EA"))
  }

  /// 00DC DDB3 0F2F 8000 + 0006 6137 9455 A401 = 00E3 3EEA A385 2401.
  @Test(
    arguments: [
      (.toController, "01 03 0C 00", "02"), (.toHost, "04 05 04 00 40 00 13", "03"),
      (.toController, "02 40 00 00 00", "00"), (.toHost, "02 40 20 00 00", "01"),
    ] as [(HCIDirection, String, String)])
  func `a packet of btsnoop has its kind and direction`(way: HCIDirection, packet: String, flags: String) {
    let packet = bytes(packet)
    let length = "00 00 00 0\(packet.count)"
    let record = bytes("\(length) \(length) 00 00 00 \(flags) 00 00 00 00 00 E3 3E EA A3 85 24 01") + packet
    #expect(
      WrittenFormat.btsnoop.record(of: WrittenPacket(time: Self.time, direction: way, bytes: packet))
        == record)
  }
}
