import Bluetooth
import DeviceModel
import HCIPackets
import Kernel
import TestSupport
import Testing

@testable import Exact

@Suite struct AdvertisingKindTests {
  private static func advertisement(_ change: (inout Advertisement) -> Void = { _ in }) -> Advertisement {
    var advertisement = Advertisement()
    advertisement.localName = "Name"
    advertisement.serviceUUIDs = [0xFFE0]
    change(&advertisement)
    return advertisement
  }

  /// Flags, services FFE0, name; then the sizes of the packets.
  private static let kinds: [(String, Advertisement, data: String, response: String, capacity: [Int])] = [
    ("legacy", advertisement(), "02 01 06 03 03 E0 FF", "05 09 4E 61 6D 65", [31, 31]),
    (
      "broadcast",
      advertisement {
        $0.isConnectable = false
        $0.isScannable = false
      }, "02 01 06 03 03 E0 FF 05 09 4E 61 6D 65", "", [31, 0]
    ),
    (
      "directed", advertisement { $0.target = LinkAddress(DeviceAddress("00:1A:7D:DA:71:13")!) }, "", "",
      [0, 0]
    ),
    (
      "connectable on a PHY", advertisement { $0.phy = .le2M }, "02 01 06 03 03 E0 FF 05 09 4E 61 6D 65", "",
      [245, 0]
    ),
    (
      "directed on a PHY",
      advertisement {
        $0.phy = .le2M
        $0.target = LinkAddress(DeviceAddress("00:1A:7D:DA:71:13")!)
      }, "02 01 06 03 03 E0 FF 05 09 4E 61 6D 65", "", [239, 0]
    ),
    (
      "broadcast on a PHY",
      advertisement {
        $0.phy = .coded
        $0.isConnectable = false
      }, "02 01 06 03 03 E0 FF 05 09 4E 61 6D 65", "", [1650, 0]
    ),
    // A scan response has no Flags.
    (
      "scannable on a PHY",
      advertisement {
        $0.phy = .coded
        $0.isConnectable = false
        $0.isScannable = true
      }, "", "03 03 E0 FF 05 09 4E 61 6D 65", [0, 1650]
    ),
    (
      "with a layout on a PHY",
      advertisement {
        $0.phy = .le1M
        $0.layout = PacketLayout(advertisingData: [.localName], scanResponse: [.services])
      }, "05 09 4E 61 6D 65 03 03 E0 FF", "", [245, 0]
    ),
  ]

  @Test(arguments: kinds)
  func `the fields are in the packets that this kind of advertising has`(
    _: String, advertisement: Advertisement, data: String, response: String, capacity: [Int]
  ) {
    let layout = ExactLayout(advertisement)
    #expect(hexadecimal(layout.packets.advertisingData.bytes) == data)
    #expect(hexadecimal(layout.packets.scanResponse.bytes) == response)
    #expect([layout.packets.capacity.advertisingData, layout.packets.capacity.scanResponse] == capacity)
    #expect(layout.overflow == nil)
  }

  private static func definition(_ advertisement: String) throws -> PeripheralDefinition {
    try define(
      """
      blemu: 1
      name: Device
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
      advertisement: \(advertisement)
      """)
  }

  private static let bytes = String(repeating: "00 ", count: 237)
  private static let long = String(repeating: "00 ", count: 255)

  @Test(
    arguments: [
      ("{ phy: 2M, manufacturer-data: { FFFF: \(bytes) } }", [], nil),
      (
        "{ phy: 2M, local-name: N, manufacturer-data: { FFFF: \(bytes) } }",
        ["advertising data needs 247 bytes, but only 245 fit: manufacturer-data takes 241; shorten it by 2"],
        .advertisement(key: "manufacturer-data")
      ),
      (
        "{ type: broadcast, phy: 2M, service-data: { FEAA: \(long) } }",
        ["service-data takes 259 bytes, but one structure has at most 256; shorten it by 3"],
        .advertisement(key: "service-data")
      ),
      (
        "{ sets: { a: {}, b: { service-data: { FEAA: \(bytes) } } } }",
        [
          "set 'b': advertising data needs 241 bytes, but only 31 fit: service-data takes 241; shorten it by 210"
        ],
        .advertisingSet(1, key: "service-data")
      ),
      (
        "{ sets: { a: { type: connectable, address: random } } }",
        ["set 'a': a set with an address of its own cannot be connectable"],
        .advertisingSet(0, key: "address")
      ),
      (
        "{ type: scannable, phy: 1M }",
        ["a scannable advertisement on a 'phy' needs something in its scan response"],
        .advertisement(key: "type")
      ),
    ] as [(String, [String], DefinitionPlace?)])
  func `what does not fit is an error at its place`(
    advertisement: String, messages: [String], place: DefinitionPlace?
  ) throws {
    let findings = ExactLimits().check(try Self.definition(advertisement))
    #expect(findings.map(\.message) == messages)
    #expect(findings.first?.place == place)
  }
}

@Suite struct AdvertisingSetKindTests {
  @Test(
    arguments: [
      ("{}", [.legacy, .connectable, .scannable]),
      ("channels: [37]", [.legacy, .connectable, .scannable]),
      ("directed: '00:1A:7D:DA:71:13'", [.legacy, .connectable, .directed]),
      ("phy: 2M", [.connectable]),
      ("phy: 1M, directed: '00:1A:7D:DA:71:13'", [.connectable, .directed]),
      ("phy: coded, connectable: false", []),
      ("phy: coded, type: scannable", [.scannable]),
      ("channels: [37], connectable: false, local-name: Name", [.legacy, .scannable]),
      ("channels: [37], type: broadcast, local-name: Name", [.legacy]),
    ] as [(String, AdvertisingSetParameters.Properties)])
  func `each kind of advertisement has its properties`(
    keys: String, properties: AdvertisingSetParameters.Properties
  ) throws {
    let advertisement = keys == "{}" ? "{}" : "{ \(keys) }"
    let definition = try define(
      "{ blemu: 1, name: Device, services: [{ uuid: FFE0, characteristics: [] }], advertisement: \(advertisement) }"
    )
    let advertised = try definition.advertised(in: definition.initialContext)
    let set = AdvertisingSet(
      advertised, ExactLayout(advertised).packets, handle: 0, number: 0, ownAddress: nil)
    #expect(set.parameters.properties == properties)
    #expect(set.address == nil)
  }
}
