import BlueZLimits
import Bluetooth
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

@Suite struct AdvertisementTemplateTests {
  /// The module's bytes as captured, but for BlueZ's order and its complete list of services.
  @Test func `the HM-10 advertises its address and its name`() throws {
    let definition = try bundled("hm-10-cable")
    let address = try #require(DeviceAddress("50:8C:B1:6A:7C:AB"))
    let context = definition.context(settings: definition.settings.map(\.initial), address: address)
    let packets = try #require(BlueZLimits().packets(of: definition.advertised(in: context)))
    // services FFE0; "HM" and the address; service data B000; flags; tx-power 0 dBm
    #expect(
      packets.advertisingData.bytes
        == hex(
          "03 03 E0 FF  09 FF 48 4D 50 8C B1 6A 7C AB  07 16 00 B0 00 00 00 00  02 01 06  02 0A 00"))
    // complete local name "HMSoft"
    #expect(packets.scanResponse.bytes == hex("07 09 48 4D 53 6F 66 74"))
    #expect(packets.remarks == [])
  }

  @Test func `a setting changes what is advertised`() throws {
    let definition = try bundled("hm-10-cable")
    let context = definition.context(settings: [.text("Demo")], address: DeviceAddress([1, 2, 3, 4, 5, 6])!)
    #expect(try definition.advertised(in: context).localName == "Demo")
  }

  private static let beacon = """
    settings:
      is-beacon: { type: boolean, default: false }
      answers-scans: { type: boolean, default: true }
      step: { type: integer, min: 1, max: 5, default: 1 }
    advertisement:
      local-name: { text: Belt, if: answers-scans }
      services: [180F, { uuid: FFE0, if: not is-beacon }]
      manufacturer-data: { 4D48: { bytes: "01", if: not is-beacon }, 004C: { bytes: "02 15", if: is-beacon } }
      service-data: { B000: { bytes: "00", if: not is-beacon } }
      raw: { 24: { bytes: "17", if: is-beacon } }
      tx-power: { dbm: step * 4, if: not is-beacon }
      discoverable: not is-beacon
      connectable: not is-beacon
      interval: { min: step * 100ms, max: "step * 100ms + 50ms" }
    """

  private func advertised(isBeacon: Bool, answersScans: Bool, step: Int64) throws -> Advertisement {
    let definition = try #require(load(Self.beacon).definition)
    let settings: [Value] = [.boolean(isBeacon), .boolean(answersScans), .integer(step)]
    let address = DeviceAddress([0, 0, 0, 0, 0, 0])!
    return try definition.advertised(
      in: definition.context(settings: settings, address: address))
  }

  @Test func `what has a condition is advertised while it holds`() throws {
    let plain = try advertised(isBeacon: false, answersScans: true, step: 1)
    #expect(plain.localName == "Belt")
    #expect(plain.serviceUUIDs == [0x180F, 0xFFE0])
    #expect(plain.manufacturerData == [ManufacturerData(company: 0x4D48, bytes: [1])])
    #expect(plain.serviceData == [ServiceData(uuid: 0xB000, bytes: [0])])
    #expect(plain.rawStructures == [] && plain.txPower == 4)
    #expect(plain.isDiscoverable && plain.isConnectable)

    let beacon = try advertised(isBeacon: true, answersScans: false, step: 1)
    #expect(beacon.localName == nil)
    #expect(beacon.serviceUUIDs == [0x180F])
    #expect(beacon.manufacturerData == [ManufacturerData(company: 0x004C, bytes: [2, 0x15])])
    #expect(beacon.serviceData == [] && beacon.txPower == nil)
    #expect(beacon.rawStructures.map(\.value) == [[0x17]])
    #expect(!beacon.isDiscoverable && !beacon.isConnectable)
  }

  @Test(
    arguments: [
      ("connectable: is-open", true, true), ("connectable: is-open", false, false),
      ("connectable: true, discoverable: is-open", false, false),
      ("connectable: is-open, discoverable: true", false, true), ("type: scannable", true, false),
    ])
  func `a device is discoverable while it is connectable, unless the definition says otherwise`(
    keys: String, isOpen: Bool, isDiscoverable: Bool
  ) throws {
    let definition = try define(
      """
      blemu: 1
      name: Device
      settings: { is-open: { type: boolean, default: \(isOpen) } }
      advertisement: { \(keys) }
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
      """)
    #expect(try definition.advertised(in: definition.initialContext).isDiscoverable == isDiscoverable)
  }

  @Test func `its numbers follow the settings`() throws {
    let advertisement = try advertised(isBeacon: false, answersScans: true, step: 3)
    #expect(advertisement.txPower == 12)
    #expect(advertisement.interval == AdvertisingInterval(units: 480)...AdvertisingInterval(units: 560))
  }

  @Test func `a cell of a table may be advertised`() throws {
    let loaded = load(
      """
      data:
        places: { file: places.csv, columns: { number: integer, place: text }, key: [number] }
      advertisement:
        local-name: "{places[1].place}"
      """, files: ["places.csv": "number,place\n1,Kitchen\n"])
    let definition = try #require(loaded.definition, "\(loaded.report)")
    #expect(try definition.advertised(in: definition.initialContext).localName == "Kitchen")
  }

  @Test func `raw structures are sent as they are written, after BlueZ's own`() throws {
    let loaded = load(
      """
      settings: { page: { type: text, default: "//b" } }
      advertisement:
        services: [FFE0]
        raw: { 24: "17 {page}", 0x2D: "41" }
      """)
    let definition = try #require(loaded.definition)
    let advertisement = try definition.advertised(in: definition.initialContext)
    #expect(
      BlueZLimits().packets(of: advertisement)?.advertisingData.bytes
        == hex("03 03 E0 FF  05 24 17 2F 2F 62  02 2D 41  02 01 06"))
  }
}
