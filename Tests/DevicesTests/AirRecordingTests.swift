import Bluetooth
import EventLoop
import TestSupport
import Testing

struct AirRecordingTests {
  private static let lamp = definition(
    """
    advertisement: { local-name: Lamp, services: [FFE0] }
    services:
      - uuid: FFE0
        characteristics:
          - { id: lamp, uuid: FFE1, properties: [read, write, notify], value: "07" }
    messages: { question: "0A", answer: "01 02" }
    rules:
      - { on: { receive: question }, do: { send: answer } }
    """)

  @EventLoop @Test func `a device that starts reads its address and advertises`() async throws {
    let device = try await RecordedDevice(Self.lamp)
    #expect(
      try device.packets() == [
        // Read BD_ADDR, and its Command Complete
        "> 01 09 10 00", "< 04 0E 0A 01 09 10 00 AB 7C 6A B1 8C 50",
        // set 0: connectable, scannable and legacy, 100 ms, all channels, public address
        "> 01 36 20 19 00 13 00 A0 00 00 A0 00 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00",
        "< 04 0E 05 01 36 20 00 00",
        // whole data: Flags, service FFE0
        "> 01 37 20 0B 00 03 01 07 02 01 06 03 03 E0 FF", "< 04 0E 04 01 37 20 00",
        // scan response: Lamp
        "> 01 38 20 0A 00 03 01 06 05 09 4C 61 6D 70", "< 04 0E 04 01 38 20 00",
        "> 01 39 20 06 01 01 00 00 00 00", "< 04 0E 04 01 39 20 00",
      ])
  }

  @EventLoop @Test func `a central and the device exchange PDUs`() async throws {
    let device = try await RecordedDevice(Self.lamp)
    _ = try device.packets()
    let central = device.transport.connect(mtu: 64)
    #expect(
      try device.packets().prefix(5) == [
        // success, handle, peripheral, public address, 30 ms, no latency, 5 s
        "< 04 3E 13 01 00 40 00 01 00 02 00 00 00 00 00 18 00 00 00 F4 01 00",
        "< 02 40 20 07 00 03 00 04 00 02 40 00", "> 02 40 00 07 00 03 00 04 00 03 05 02",
        // It discovers the attributes: the services 0001–0005, 0006–0009, 000A–000D.
        "< 02 40 20 0B 00 07 00 04 00 10 01 00 FF FF 00 28",
        "> 02 40 00 18 00 14 00 04 00 11 06 01 00 05 00 00 18 06 00 09 00 01 18 0A 00 0D 00 E0 FF",
      ])
    try central.subscribe(to: 0)
    central.write([0x0A], to: .characteristic(0), .request) { _ in }
    #expect(
      try device.packets() == [
        "< 02 40 20 09 00 05 00 04 00 12 0D 00 01 00", "> 02 40 00 05 00 01 00 04 00 13",
        "< 02 40 20 08 00 04 00 04 00 12 0C 00 0A", "> 02 40 00 05 00 01 00 04 00 13",
        "> 02 40 00 09 00 05 00 04 00 1B 0C 00 01 02",
      ])
    central.disconnect(.remotePowerOff)
    #expect(try device.packets() == ["< 04 05 04 00 40 00 15"])
  }

  @EventLoop @Test func `a device that ends the link gives the reason`() async throws {
    let device = try await RecordedDevice(Self.lamp)
    _ = device.transport.connect()
    _ = try device.packets()
    device.transport.disconnect(nil, .remoteLowResources)
    #expect(
      try device.packets() == [
        "> 01 06 04 03 40 00 14", "< 04 0F 04 00 01 06 04", "< 04 05 04 00 40 00 16",
      ])
  }

  @EventLoop @Test func `a device that stops removes its advertising set`() async throws {
    let device = try await RecordedDevice(Self.lamp)
    _ = try device.packets()
    await device.stop()
    #expect(
      try device.packets() == [
        "> 01 39 20 06 00 01 00 00 00 00", "< 04 0E 04 01 39 20 00",
        "> 01 3C 20 01 00", "< 04 0E 04 01 3C 20 00",
      ])
  }
}
