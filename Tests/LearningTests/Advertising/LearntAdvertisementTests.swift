import Bluetooth
import Captures
import DeviceModel
import Exact
import Framing
import Testing

@testable import Learning

struct LearntAdvertisementTests {
  /// Advertising data and the scan response, as they are received and as a learnt device sends them with `exact`.
  static let packets: [(data: String, response: String, expected: String)] = [
    (
      "02 01 06 03 03 E0 FF", "05 09 4C 61 6D 70",
      """
      advertisement:
        local-name: "Lamp"
        services: [FFE0]
      """
    ),
    // No Flags; the name before the services; manufacturer data in both packets.
    (
      "05 09 4C 61 6D 70 03 02 0F 18 05 FF 4C 00 01 02", "04 FF 59 00 07 02 0A FC",
      """
      advertisement:
        local-name: "Lamp"
        services: [180F]
        manufacturer-data: { 004C: "01 02" }
        raw: { FF: "59 00 07" }
        tx-power: -4
        packets:
          advertising-data: [local-name, incomplete-services, manufacturer-data]
          scan-response: [raw, tx-power]
      """
    ),
    // Limited discoverable mode; a shortened name; service data under two UUIDs; an appearance.
    (
      "02 01 05 03 08 4C 61 04 16 AA FE 10 03 16 0F 18 03 19 41 03", "",
      """
      advertisement:
        service-data: { FEAA: "10", 180F: "" }
        raw: { "01": "05", "08": "4C 61" }
        appearance: 833
        packets: { advertising-data: [raw, service-data, appearance] }
      """
    ),
    // General discoverable mode is not the default of Flags 04.
    (
      "02 01 04", "",
      """
      advertisement:
        discoverable: false
      """
    ),
    // A treadmill: other Flags, some services in the advertising data and all others in the scan response.
    (
      "02 01 02 03 02 E7 FE 09 FF 0D 00 C0 FF EE 00 00 01", "04 09 48 4F 52 03 03 26 18",
      """
      advertisement:
        local-name: "HOR"
        services: ["1826"]
        manufacturer-data: { 000D: "C0 FF EE 00 00 01" }
        raw: { "01": "02", "02": "E7 FE" }
        packets: { advertising-data: [raw, manufacturer-data], scan-response: [local-name, services] }
      """
    ),
    // Service data twice under one UUID: as bytes.
    (
      "02 01 06 03 16 AA FE 04 16 AA FE 01", "",
      """
      advertisement:
        service-data: { FEAA: "" }
        raw: { "16": "AA FE 01" }
      """
    ),
  ]

  @Test(arguments: packets)
  func `packets are sent as they were received`(data: String, response: String, expected: String) throws {
    var device = CapturedDevice(address: nil)
    device.advertisements = [
      CapturedAdvertisement(time: Instant(), kind: .connectable, data: bytes(data)),
      CapturedAdvertisement(time: Instant(), kind: .scanResponse, data: bytes(response)),
    ]
    let learnt = learn(device)
    #expect(section("advertisement", of: learnt) == expected)
    let definition = try loaded(learnt)
    let packets = ExactLimits().packets(of: try definition.advertised(in: definition.initialContext))
    #expect(packets?.advertisingData.bytes == bytes(data))
    #expect(packets?.scanResponse.bytes == bytes(response))
    #expect(packets?.omittedFields == [])
  }

  /// A packet each 105 ms on average on channels 37 and 38, of which a sniffer misses every other on the second.
  @Test func `the interval is measured on each channel, without the random delay`() {
    var device = CapturedDevice(address: LinkAddress(DeviceAddress("C4:11:22:33:44:55")!, .random))
    for event in 0..<60 {
      for channel in [37, 38] as [UInt8] where channel == 37 || event % 2 != 0 {
        var time = Int64(event) * 105_000 + [0, 3000, -3000][event % 3]
        time += Int64(channel) * 500
        var packet = CapturedAdvertisement(
          time: Instant(microseconds: time), kind: .connectable, data: bytes("02 01 06"))
        packet.channel = channel
        device.advertisements.append(packet)
      }
    }
    #expect(
      section("advertisement", of: learn(device)) == """
        advertisement:
          interval: { min: 100ms, max: 100ms }  # measured 59 times
          address: random
        """)
  }

  /// A packet each 105 ms: of ten, two are reported late, or all but one.
  @Test(arguments: [
    ([0, 0, 0, 70, 0, 0, 0, 0, 60, 0], "100ms, max: 100ms }  # measured 35 times"),
    ([0, 80, 55, 120, 20, 90, 100, 40, 130, 30], "101ms, max: 101ms }  # measured 59 times"),
  ])
  func `what a busy host reports late does not change the interval`(delays: [Int64], measured: String) {
    var device = CapturedDevice(address: LinkAddress(DeviceAddress("C4:11:22:33:44:55")!, .random))
    for event in 0..<60 {
      let time = Int64(event) * 105_000 + delays[event % 10] * 1000
      device.advertisements.append(
        CapturedAdvertisement(
          time: Instant(microseconds: time), kind: .connectable, data: bytes("02 01 06")))
      device.advertisements[event].channel = 37
    }
    #expect(
      section("advertisement", of: learn(device)) == """
        advertisement:
          interval: { min: \(measured)
          address: random
        """)
  }

  @Test(
    arguments: [
      (0x00A0, 0x00F4, "  interval: { min: 100ms, max: 153ms }\n"),
      (0x0800, 0x0800, ""),  // what Linux has if nobody chooses
      (0x0010, 0x0010, ""),  // too short for legacy advertising
    ] as [(UInt32, UInt32, String)])
  func `the host's own interval is taken, in whole milliseconds`(
    shortest: UInt32, longest: UInt32, line: String
  ) throws {
    var device = CapturedDevice(address: LinkAddress(DeviceAddress("C4:11:22:33:44:55")!, .random))
    var packet = CapturedAdvertisement(time: Instant(), kind: .connectable, data: bytes("02 01 06"))
    packet.interval = AdvertisingInterval(units: shortest)...AdvertisingInterval(units: longest)
    device.advertisements = [packet]
    let learnt = learn(device)
    #expect(section("advertisement", of: learnt) == "advertisement:\n\(line)  address: random")
    _ = try loaded(learnt)
  }

  @Test func `a host's reports give no interval, and data that change are said to`() {
    var device = CapturedDevice(address: LinkAddress(DeviceAddress("44:11:22:33:44:55")!, .random))
    for event in 0..<20 {
      device.advertisements.append(
        CapturedAdvertisement(
          time: .milliseconds(Int64(event) * 200), kind: .nonConnectable,
          data: bytes("04 FF 59 00 0\(event % 3)")))
    }
    let learnt = learn(device)
    #expect(
      section("advertisement", of: learnt) == """
        advertisement:
          manufacturer-data:
            "0059": "00"  # the first of 3 values
          type: broadcast
          address: resolvable
          packets: { advertising-data: [manufacturer-data] }
        """)
    #expect(
      learnt.evidence == [
        Evidence("3 different packets", at: "advertisement", agreeing: 7, of: 20),
        Evidence(
          "interval at most 195 ms, by the reports of a host", at: "advertisement", agreeing: 19, of: 20),
      ])
    #expect(learnt.origin == ["The device had a resolvable private address."])
  }

  @Test func `further packets of the device are further sets`() throws {
    var device = CapturedDevice(address: nil)
    device.advertisements = [
      CapturedAdvertisement(time: Instant(), kind: .nonConnectable, data: bytes("02 01 06 04 FF 4C 00 02")),
      CapturedAdvertisement(time: Instant(), kind: .connectable, data: bytes("02 01 06 03 03 E0 FF")),
      CapturedAdvertisement(time: Instant(), kind: .scanResponse, data: bytes("05 09 4C 61 6D 70")),
      CapturedAdvertisement(
        time: Instant(), kind: .extended(isConnectable: false, isScannable: false, isDirected: false),
        data: bytes("04 FF 59 00 07")),
    ]
    let learnt = learn(device)
    #expect(
      section("advertisement", of: learnt) == """
        advertisement:
          local-name: "Lamp"
          services: [FFE0]
          sets:
            set-2: { manufacturer-data: { 004C: "02" }, discoverable: true, type: broadcast }
            set-3:
              manufacturer-data: { "0059": "07" }
              type: broadcast
              phy: 1M
              packets: { advertising-data: [manufacturer-data] }
        """)
    let definition = try loaded(learnt)
    let sets = try definition.advertised(in: definition.initialContext).allSets
    let data = sets.map { ExactLimits().packets(of: $0)?.advertisingData.bytes }
    #expect(
      data == [bytes("02 01 06 03 03 E0 FF"), bytes("02 01 06 04 FF 4C 00 02"), bytes("04 FF 59 00 07")])
  }

  @Test func `without an advertisement in the recording, only the name is known`() throws {
    #expect(section("advertisement", of: learn(CapturedDevice(address: nil))) == "")
    var table = ObservedTable()
    table.services = [.init(.init(0x1800, isLong: false))]
    var name = ObservedTable.Characteristic(.init(0x2A00, isLong: false))
    name.value.readings = [.init(.success(Array("Lamp".utf8)), at: Instant())]
    table.services[0].characteristics = [name]
    var learnt = LearntDefinition(name: "Lamp", summary: "")
    learnt.addAdvertisement(of: CapturedDevice(address: nil), table)
    #expect(
      try learnt.written().text == """
        # The recording has no advertisement of the device.

        blemu: 1
        name: Lamp

        advertisement:
          local-name: "Lamp"  # its Device Name (2A00)

        """)
  }
}

/// A lamp with one service that advertised so.
func learn(_ device: CapturedDevice) -> LearntDefinition {
  var table = ObservedTable()
  table.services = [.init(.init(0xFFE0, isLong: false))]
  var learnt = LearntDefinition(name: "Lamp", summary: "")
  learnt.addServices(table)
  learnt.addAdvertisement(of: device, table)
  return learnt
}

/// The lines of a section of a learnt definition.
func section(_ name: String, of learnt: LearntDefinition) -> String {
  let lines = try! learnt.written().text.split(separator: "\n").drop { !$0.hasPrefix(name + ":") }
  return (lines.prefix(1) + lines.dropFirst().prefix { $0.hasPrefix(" ") }).joined(separator: "\n")
}

/// Bytes in hexadecimal digits.
func bytes(_ text: String) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
