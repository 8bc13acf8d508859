import Bluetooth
import Testing

@testable import Definitions

@Suite struct AdvertisementTemplateTests {
  /// The module's bytes as captured, but for BlueZ's order and its complete list of services.
  @Test func `the HM-10 advertises its address and its name`() throws {
    let definition = try bundled("hm-10")
    let address = try #require(DeviceAddress("50:8C:B1:6A:7C:AB"))
    let context = definition.context(settings: definition.settings.map(\.initial), address: address)
    let layout = AdvertisingLayout(try definition.advertisement.resolved(in: context))
    // services FFE0; "HM" and the address; service data B000; flags; tx-power 0 dBm
    #expect(
      layout.advertisingData.bytes
        == hex(
          "03 03 E0 FF  09 FF 48 4D 50 8C B1 6A 7C AB  07 16 00 B0 00 00 00 00  02 01 06  02 0A 00"))
    // complete local name "HMSoft"
    #expect(layout.scanResponse.bytes == hex("07 09 48 4D 53 6F 66 74"))
    #expect(layout.problems == [])
  }

  @Test func `a setting changes what is advertised`() throws {
    let definition = try bundled("hm-10")
    let context = definition.context(settings: [.text("Demo")], address: DeviceAddress([1, 2, 3, 4, 5, 6])!)
    #expect(try definition.advertisement.resolved(in: context).localName == "Demo")
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
    #expect(try definition.advertisement.resolved(in: definition.initialContext).localName == "Kitchen")
  }

  @Test func `raw structures are sent as they are written, behind BlueZ's own`() throws {
    let loaded = load(
      """
      settings: { page: { type: text, default: "//b" } }
      advertisement:
        services: [FFE0]
        raw: { 24: "17 {page}", 0x2D: "41" }
      """)
    let definition = try #require(loaded.definition)
    let advertisement = try definition.advertisement.resolved(in: definition.initialContext)
    #expect(
      AdvertisingLayout(advertisement).advertisingData.bytes
        == hex("03 03 E0 FF  05 24 17 2F 2F 62  02 2D 41  02 01 06"))
  }
}
