import Bluetooth
import Captures
import HCIPackets
import TestSupport
import Testing

struct HostConversationTests {
  private static let adapter = DeviceAddress("50:8C:B1:6A:7C:AB")!
  private static let central = DeviceAddress("4C:32:75:0A:11:9E")!
  private static let other = DeviceAddress("C0:00:5E:00:53:01")!
  private static let parameters = ConnectionParameters(interval: 40, latency: 2, supervisionTimeout: 300)

  /// Packets in hexadecimal: `<` to the host, `>` to the controller.
  private func text(_ packets: [HostConversation.Packet]) -> [String] {
    packets.map { ($0.direction == .toHost ? "< " : "> ") + hexadecimal($0.bytes) }
  }

  private func text(_ packet: HostConversation.Packet?) -> [String] { text(packet.map { [$0] } ?? []) }

  @Test func `a device with a random address sets it`() {
    #expect(
      text(HostConversation().start(Self.adapter, random: Self.other)) == [
        "> 01 09 10 00", "< 04 0E 0A 01 09 10 00 AB 7C 6A B1 8C 50",
        "> 01 05 20 06 01 53 00 5E 00 C0", "< 04 0E 04 01 05 20 00",
      ])
  }

  @Test func `each link has its handle until it ends`() {
    var conversation = HostConversation()
    #expect(
      text(conversation.connect(LinkAddress(Self.central), Self.parameters)) == [
        "< 04 3E 13 01 00 40 00 01 00 9E 11 0A 75 32 4C 28 00 02 00 2C 01 00"
      ])
    #expect(
      text(conversation.connect(LinkAddress(Self.other, .random), Self.parameters)) == [
        "< 04 3E 13 01 00 41 00 01 01 01 53 00 5E 00 C0 28 00 02 00 2C 01 00"
      ])
    #expect(
      text(conversation.attribute([0x0A, 0x03, 0x00], Self.other, .toHost)) == [
        "< 02 41 20 07 00 03 00 04 00 0A 03 00"
      ])
    #expect(
      text(conversation.attribute([0x0B, 0x07], Self.other, .toController)) == [
        "> 02 41 00 06 00 02 00 04 00 0B 07"
      ])
    #expect(text(conversation.disconnect(Self.central, .supervisionTimeout)) == ["< 04 05 04 00 40 00 08"])
    #expect(text(conversation.attribute([0x13], Self.central, .toController)) == [])
    #expect(
      text(conversation.connect(LinkAddress(Self.central), nil)) == [
        "< 04 3E 13 01 00 40 00 01 00 9E 11 0A 75 32 4C 18 00 00 00 F4 01 00"
      ])
  }

  @Test func `a link that changes has an event`() {
    var conversation = HostConversation()
    _ = conversation.connect(LinkAddress(Self.central), nil)
    #expect(text(conversation.encrypt(Self.central, true)) == ["< 04 08 04 00 40 00 01"])
    #expect(
      text(conversation.update(Self.central, Self.parameters)) == [
        "< 04 3E 0A 03 00 40 00 28 00 02 00 2C 01"
      ])
    #expect(text(conversation.encrypt(Self.other, true)) == [])
  }

  private static func set(_ data: String, interval: UInt32 = 160, handle: UInt8 = 0) -> AdvertisingSet {
    let interval = AdvertisingInterval(units: interval)
    return AdvertisingSet(
      handle: handle,
      parameters: AdvertisingSetParameters(
        properties: [.legacy, .connectable, .scannable], interval: interval...interval),
      data: bytes(data), scanResponse: [])
  }

  /// The commands alone.
  private func commands(_ packets: [HostConversation.Packet]) -> [String] {
    text(packets.filter { $0.direction == .toController })
  }

  @Test func `only what changes is set`() {
    var conversation = HostConversation()
    _ = conversation.advertise([Self.set("02 01 06")])
    #expect(conversation.advertise([Self.set("02 01 06")]) == [])
    #expect(
      commands(conversation.advertise([Self.set("02 01 04")])) == ["> 01 37 20 07 00 03 01 03 02 01 04"])
    #expect(
      commands(conversation.advertise([Self.set("02 01 04", interval: 32)])) == [
        "> 01 39 20 06 00 01 00 00 00 00",
        "> 01 36 20 19 00 13 00 20 00 00 20 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00",
        "> 01 39 20 06 01 01 00 00 00 00",
      ])
    #expect(
      commands(conversation.advertise([Self.set("", handle: 1)])) == [
        "> 01 39 20 06 00 01 00 00 00 00", "> 01 3C 20 01 00",
        "> 01 36 20 19 01 13 00 A0 00 00 A0 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00",
        "> 01 39 20 06 01 01 01 00 00 00",
      ])
  }

  @Test func `long data goes in parts while the set is disabled`() {
    var conversation = HostConversation()
    _ = conversation.advertise([Self.set("")])
    let long = String(repeating: "FF ", count: 300)
    let packets = commands(conversation.advertise([Self.set(long)])).map { $0.prefix(22) }
    #expect(
      packets == [
        "> 01 39 20 06 00 01 00", "> 01 37 20 FF 00 01 01", "> 01 37 20 35 00 02 01",
        "> 01 39 20 06 01 01 00",
      ])
  }
}
