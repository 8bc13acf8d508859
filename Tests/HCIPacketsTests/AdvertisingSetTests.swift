import Bluetooth
import TestSupport
import Testing

@testable import HCIPackets

@Suite struct AdvertisingSetTests {
  private static func set(
    _ properties: AdvertisingSetParameters.Properties, change: (inout AdvertisingSet) -> Void = { _ in }
  ) -> AdvertisingSet {
    let interval = AdvertisingInterval(units: 0xA0)...AdvertisingInterval(units: 0x140)
    var set = AdvertisingSet(
      handle: 0xEF, parameters: AdvertisingSetParameters(properties: properties, interval: interval),
      data: [],
      scanResponse: [])
    change(&set)
    return set
  }

  /// Handle; properties; shortest and longest interval; channels; kinds of the own address and of the target, and the
  /// target; filter policy; transmit power; primary PHY; skip; secondary PHY; identifier; reports.
  private static let parameters: [(set: AdvertisingSet, bytes: String)] = [
    (set([.legacy]), "EF 10 00 A0 00 00 40 01 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"),
    (
      set([.legacy, .connectable, .scannable]) { $0.parameters.channels = [.channel(37), .channel(39)] },
      "EF 13 00 A0 00 00 40 01 00 05 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"
    ),
    (
      set([.legacy, .connectable, .directed]) {
        $0.parameters.target = LinkAddress(DeviceAddress("4C:32:75:0A:11:9E")!, .random)
      }, "EF 15 00 A0 00 00 40 01 00 07 00 01 9E 11 0A 75 32 4C 00 7F 01 00 01 00 00"
    ),
    (
      set([.scannable]) {
        $0.address = DeviceAddress("C0:00:5E:00:53:02")
        $0.parameters.phy = .coded
        $0.parameters.identifier = 3
      }, "EF 02 00 A0 00 00 40 01 00 07 01 00 00 00 00 00 00 00 00 7F 03 00 03 03 00"
    ),
    (
      set([]) { $0.parameters.phy = .le2M },
      "EF 00 00 A0 00 00 40 01 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 02 00 00"
    ),
  ]

  @Test(arguments: parameters)
  func `the parameters are those of the specification`(set: AdvertisingSet, bytes: String) {
    let command = HCICommand.setParameters(set)
    #expect(command.opcode.rawValue == 0x2036)
    #expect(hexadecimal(command.parameters) == bytes)
  }

  @Test(
    arguments: [
      (
        .setRandomAddress(DeviceAddress("C0:00:5E:00:53:02")!, handle: 0xEE),
        "01 35 20 07 EE 02 53 00 5E 00 C0"
      ),
      // All of the data, which the controller may not fragment.
      (
        .setData(.init(position: .only, bytes: [0x02, 0x01, 0x06]), handle: 0xEE),
        "01 37 20 07 EE 03 01 03 02 01 06"
      ),
      (.setScanResponse(.init(position: .last, bytes: []), handle: 0xEE), "01 38 20 04 EE 02 01 00"),
      (.enable(handle: 0xEE), "01 39 20 06 01 01 EE 00 00 00"),
      (.enable(handle: 0xEE, duration: 128), "01 39 20 06 01 01 EE 80 00 00"),
      (.disable(handle: 0xEE), "01 39 20 06 00 01 EE 00 00 00"),
      (.remove(handle: 0xEE), "01 3C 20 01 EE"),
    ] as [(HCICommand, String)])
  func `a command is its opcode, a length and its parameters`(command: HCICommand, packet: String) {
    #expect(hexadecimal(command.packet) == packet)
  }

  @Test(
    arguments: [
      (0, ["only 0"]), (251, ["only 251"]), (252, ["first 251", "last 1"]),
      (1650, ["first 251"] + Array(repeating: "middle 251", count: 5) + ["last 144"]),
    ])
  func `long data has fragments`(size: Int, expected: [String]) {
    let data = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let fragments = AdvertisingFragment.fragments(of: data)
    #expect(fragments.map { "\($0.position) \($0.bytes.count)" } == expected)
    #expect(fragments.flatMap(\.bytes) == data)
  }
}
