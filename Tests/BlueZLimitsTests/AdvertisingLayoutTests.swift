import Bluetooth
import Testing

@testable import BlueZLimits

/// The expected packets were observed on the air (BlueZ 5.66, Linux 6.1.192, virtual controllers) or follows from the same
/// rule in the source.
@Suite struct AdvertisingLayoutTests {
  @Test func `puts Flags last when discoverable, then tx-power`() {
    let layout = AdvertisingLayout(.full(discoverable: true))
    #expect(layout.contents == "services manufacturer-data service-data appearance raw flags tx-power")
    #expect(layout.packets.advertisingData.size == 29)
    #expect(layout.packets.advertisingData.structures[5].value == [0x06])
    #expect(layout.refusal == nil)
  }

  @Test func `puts Flags first when not discoverable`() {
    let layout = AdvertisingLayout(.full(discoverable: false))
    #expect(layout.contents == "flags services manufacturer-data service-data appearance raw tx-power")
    #expect(layout.packets.advertisingData.structures[0].value == [0x04])
  }

  @Test func `lists UUIDs by width`() {
    var advertisement = Advertisement()
    advertisement.isDiscoverable = false
    advertisement.serviceUUIDs = [0xFFE0, BluetoothUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")!, 0x180A]
    let structures = AdvertisingLayout(advertisement).packets.advertisingData.structures
    #expect(structures.map(\.type) == [.flags, .completeServiceUUIDs16, .completeServiceUUIDs128])
    #expect(structures[1].value == [0xE0, 0xFF, 0x0A, 0x18])
  }

  @Test func `puts only the name into the scan response`() {
    var advertisement = Advertisement()
    advertisement.localName = "HMSoft"
    let layout = AdvertisingLayout(advertisement)
    #expect(layout.packets.scanResponse.bytes == [0x07, 0x09, 0x48, 0x4D, 0x53, 0x6F, 0x66, 0x74])
    #expect(layout.packets.advertisingData.bytes == [0x02, 0x01, 0x06])
    advertisement.localName = ""
    #expect(AdvertisingLayout(advertisement).packets.scanResponseFields.isEmpty)
  }

  @Test func `shortens a name beyond 29 bytes`() {
    var advertisement = Advertisement()
    advertisement.localName = String(repeating: "N", count: 29)
    #expect(
      AdvertisingLayout(advertisement).packets.scanResponse.structures.map(\.type) == [.completeLocalName])
    advertisement.localName = String(repeating: "N", count: 40)
    let layout = AdvertisingLayout(advertisement)
    #expect(layout.packets.scanResponse.structures.map(\.type) == [.shortenedLocalName])
    #expect(layout.packets.scanResponse.size == 31)
    #expect(layout.refusal == nil)
    #expect(
      layout.problems.map(\.description) == ["the scan response has room for 29 of the name's 40 bytes"])
  }

  @Test(arguments: [
    Room(discoverable: true, data: 24, power: false, sent: "manufacturer-data flags"),
    Room(discoverable: true, data: 25, power: false, sent: nil),
    Room(discoverable: true, data: 21, power: true, sent: "manufacturer-data flags tx-power"),
    Room(discoverable: true, data: 22, power: true, sent: nil),
    Room(discoverable: false, data: 24, power: false, sent: "flags manufacturer-data"),
    Room(discoverable: false, data: 25, power: false, sent: "manufacturer-data"),
    Room(discoverable: false, data: 27, power: false, sent: "manufacturer-data"),
    Room(discoverable: false, data: 28, power: false, sent: nil),
    Room(discoverable: false, data: 21, power: true, sent: "flags manufacturer-data tx-power"),
    Room(discoverable: false, data: 22, power: true, sent: "flags manufacturer-data"),
    Room(discoverable: false, data: 24, power: true, sent: "flags manufacturer-data"),
    Room(discoverable: false, data: 25, power: true, sent: nil),
  ])
  func `leaves out or refuses what does not fit`(room: Room) {
    let layout = AdvertisingLayout(room.advertisement)
    #expect((layout.refusal == nil) == (room.sent != nil))
    if let sent = room.sent { #expect(layout.contents == sent) }
  }

  @Test func `names the fields that it leaves out`() {
    let layout = AdvertisingLayout(
      Room(discoverable: false, data: 22, power: true, sent: nil).advertisement)
    #expect(layout.packets.omittedFields.map(\.content) == [.txPower])
  }

  @Test(
    arguments: [
      (
        25, false,
        "shorten it by 1, or if the real device has it in the scan response, say so with 'packets' and use BlueZ 5.80 or --on exact"
      ),
      (28, false, "shorten it by 4"), (20, true, nil),
      (25, true, "BlueZ 5.80 and --on exact use 'packets'; this BlueZ does not"),
    ] as [(Int, Bool, String?)])
  func `--on exact helps where BlueZ has no use for the scan response`(
    data: Int, hasPackets: Bool, advice: String?
  ) {
    var advertisement = Room(discoverable: true, data: data, power: false, sent: nil).advertisement
    if hasPackets {
      advertisement.layout = PacketLayout(advertisingData: [.flags], scanResponse: [.manufacturerData])
    }
    let problem = AdvertisingLayout(advertisement).refusal?.description
    #expect(problem.map { String($0.drop { $0 != ";" }.dropFirst(2)) } == advice)
  }

  @Test func `reports which field to shorten and by how much`() {
    var advertisement = Advertisement()
    advertisement.serviceUUIDs = [0xFFE0, 0x180A]
    advertisement.manufacturerData = [
      ManufacturerData(company: 0x4D48, bytes: Array(repeating: 0, count: 21))
    ]
    let message =
      "advertising data needs 34 bytes, but only 31 fit: manufacturer-data takes 25; shorten it by 3"
      + ", or if the real device has it in the scan response, say so with 'packets' and use BlueZ 5.80 or --on exact"
    #expect(AdvertisingLayout(advertisement).problems.map(\.description) == [message])
  }

  @Test func `refuses a discoverable broadcaster`() {
    var advertisement = Advertisement()
    advertisement.isConnectable = false
    #expect(AdvertisingLayout(advertisement).problems == [.discoverableBroadcaster])
  }

  @Test func `refuses raw data of a type that has a property`() {
    var advertisement = Advertisement()
    advertisement.rawStructures = [ADStructure(.flags, [0x06])]
    let message = "BlueZ refuses raw data of type 01 (Flags)"
    #expect(AdvertisingLayout(advertisement).problems.map(\.description) == [message])
  }

  @Test func `leaves out raw data of such a type where it belongs to the scan response`() {
    var advertisement = Advertisement()
    let other = ADStructure(AdvertisingDataType(rawValue: 0x24), [0x17])
    advertisement.rawStructures = [ADStructure(.manufacturerData, [0x4C, 0x00, 0x02]), other]
    advertisement.layout = PacketLayout(advertisingData: [.flags], scanResponse: [.raw])
    #expect(AdvertisingLayout(advertisement).problems == [])
    #expect(AdvertisingLayout(advertisement).sent.main.rawStructures == [other])
    advertisement.layout = PacketLayout(advertisingData: [.flags, .raw], scanResponse: [])
    #expect(AdvertisingLayout(advertisement).problems == [.refusedRawType(.manufacturerData)])
  }

  /// Observed on the air with BlueZ 5.82.
  @Test func `from 5.80 on, the scan response has the fields that packets names`() throws {
    var advertisement = Advertisement()
    advertisement.localName = "Both"
    advertisement.serviceUUIDs = [0xEC88]
    advertisement.manufacturerData = [
      ManufacturerData(company: 0xEC88, bytes: Array(repeating: 1, count: 20))
    ]
    advertisement.rawStructures = [
      ADStructure(.manufacturerData, [0x4C, 0x00] + Array(repeating: 2, count: 16)),
      ADStructure(AdvertisingDataType(rawValue: 0x24), [0x17]),
    ]
    advertisement.layout = PacketLayout(
      advertisingData: [.flags, .manufacturerData], scanResponse: [.services, .raw, .localName])
    let layout = AdvertisingLayout(advertisement) { BlueZVersion(5, 80) }
    #expect(layout.problems == [.nameShortened(to: 2, from: 4)])
    #expect(layout.contents == "manufacturer-data flags")
    #expect(
      layout.packets.scanResponse.structures.map(\.type.rawValue) == [0x03, 0xFF, 0x08, 0x24])
    #expect(layout.packets.scanResponse.size == 31)
    #expect(layout.sent.response.manufacturerData.map(\.company) == [0x004C])
    // An older BlueZ has all of it in one packet.
    #expect(
      AdvertisingLayout(advertisement) { BlueZVersion(5, 79) }.contents.hasPrefix(
        "services manufacturer-data"))
  }

  @Test func `a name that the device has in the advertising data is not cut for others`() {
    var advertisement = Advertisement()
    advertisement.localName = "A long name"
    advertisement.rawStructures = [
      ADStructure(.manufacturerData, [0x4C, 0x00] + Array(repeating: 2, count: 21))
    ]
    advertisement.layout = PacketLayout(advertisingData: [.flags, .localName], scanResponse: [.raw])
    let layout = AdvertisingLayout(advertisement) { BlueZVersion(5, 82) }
    #expect(layout.problems == [] && layout.sent.decision == .name)
    #expect(layout.packets.scanResponseFields.map(\.content) == [.localName])
    // Data that are sent in any case go where there is room.
    advertisement.manufacturerData = [ManufacturerData(company: 0x4D, bytes: Array(repeating: 1, count: 20))]
    advertisement.serviceData = [ServiceData(uuid: 0xFEAA, bytes: Array(repeating: 0, count: 20))]
    advertisement.layout = PacketLayout(
      advertisingData: [.flags, .localName, .manufacturerData], scanResponse: [.serviceData])
    advertisement.rawStructures = []
    let full = AdvertisingLayout(advertisement) { BlueZVersion(5, 82) }
    #expect(full.problems == [.nameShortened(to: 5, from: 11)] && full.sent.decision == .definition)
  }

  @Test(arguments: [(25, "Both"), (26, "Bot"), (28, "B"), (29, nil), (31, nil)] as [(Int, String?)])
  func `a name gets the room that the scan response leaves, or is not sent`(size: Int, name: String?) {
    var advertisement = Advertisement()
    advertisement.localName = "Both"
    advertisement.serviceData = [ServiceData(uuid: 0xFEAA, bytes: Array(repeating: 0, count: size - 4))]
    advertisement.layout = PacketLayout(advertisingData: [.flags], scanResponse: [.serviceData, .localName])
    let layout = AdvertisingLayout(advertisement) { BlueZVersion(5, 82) }
    let names = layout.packets.scanResponse.structures.dropFirst().map(\.value)
    #expect(names == (name.map { [Array($0.utf8)] } ?? []))
    #expect(layout.packets.omittedFields.map(\.content) == (name == nil ? [.localName] : []))
    #expect(layout.refusal == nil)
  }

  @Test func `a scan response that is too long is refused with its longest field`() {
    var advertisement = Advertisement()
    advertisement.serviceData = [ServiceData(uuid: 0xFEAA, bytes: Array(repeating: 0, count: 28))]
    advertisement.layout = PacketLayout(advertisingData: [.flags], scanResponse: [.serviceData])
    let problem = AdvertisingLayout(advertisement) { BlueZVersion(5, 82) }.refusal?.description
    #expect(
      problem
        == "the scan response needs 32 bytes, but only 31 fit: service-data takes 32; shorten it by 1")
  }
}

/// Manufacturer data of so many bytes, and what is sent; nil if nothing.
struct Room: Sendable {
  let discoverable: Bool
  let data: Int
  let power: Bool
  let sent: String?

  var advertisement: Advertisement {
    var advertisement = Advertisement()
    advertisement.isDiscoverable = discoverable
    advertisement.manufacturerData = [
      ManufacturerData(company: 0xFFFF, bytes: Array(repeating: 0, count: data))
    ]
    advertisement.txPower = power ? 0 : nil
    return advertisement
  }
}

extension Advertisement {
  static func full(discoverable: Bool) -> Advertisement {
    var advertisement = Advertisement()
    advertisement.isDiscoverable = discoverable
    advertisement.serviceUUIDs = [0xFFE0]
    advertisement.manufacturerData = [ManufacturerData(company: 0xFFFF, bytes: [0])]
    advertisement.serviceData = [ServiceData(uuid: 0xB000, bytes: [0, 0])]
    advertisement.appearance = 0x0340
    advertisement.rawStructures = [ADStructure(AdvertisingDataType(rawValue: 0x26), [0x78, 0x79])]
    advertisement.txPower = 0
    return advertisement
  }
}

extension AdvertisingLayout {
  var contents: String { packets.advertisingFields.map(\.content.rawValue).joined(separator: " ") }
}
