import Bluetooth
import Testing

@testable import Definitions
@testable import DeviceModel

/// Which attributes a device has with which settings.
@Suite struct AttributeTableTests {
  private static let definition = load(
    """
    settings:
      service: { type: bytes, max: 16, default: FFE0 }
      number: { type: integer, min: 0, max: 0xFFFF, default: 0xFFE1 }
      has-second: { type: boolean, default: false }
      has-battery: { type: boolean, default: true }
    values:
      next: number + 1 & 0xFFFF
    services:
      - id: serial-port
        uuid: "{service}"
        characteristics:
          - { id: first, uuid: "{number: u16be}", properties: [read] }
          - { id: second, uuid: "{next: u16be}", if: has-second, properties: [read] }
      - uuid: 180F
        if: has-battery
        characteristics: [{ uuid: 2A19, properties: [read] }]
    """
  ).definition!

  private static func table(_ settings: [String: Value] = [:]) throws -> String {
    let definition = definition
    var context = definition.initialContext
    for (name, value) in settings {
      context.settings[definition.settings.firstIndex { $0.name == name }!] = value
    }
    return try definition.attributes(in: context).services.map { service in
      "\(service.uuid): " + service.characteristics.map { "\($0.index) \($0.uuid)" }.joined(separator: ", ")
    }.joined(separator: "; ")
  }

  @Test(
    arguments: [
      ([:], "FFE0: 0 FFE1; 180F: 2 2A19"),
      (["has-second": .boolean(true)], "FFE0: 0 FFE1, 1 FFE2; 180F: 2 2A19"),
      (["has-battery": .boolean(false)], "FFE0: 0 FFE1"),
      (["service": .bytes([0xFF, 0xF0]), "number": .integer(0)], "FFF0: 0 0000; 180F: 2 2A19"),
      (["number": .integer(0xFFFF), "has-second": .boolean(true)], "FFE0: 0 FFFF, 1 0000; 180F: 2 2A19"),
      (["service": .bytes([0, 1, 0xFF, 0xF0])], "0001FFF0: 0 FFE1; 180F: 2 2A19"),
      (
        ["service": .bytes([UInt8](0x10...0x1F))],
        "10111213-1415-1617-1819-1A1B1C1D1E1F: 0 FFE1; 180F: 2 2A19"
      ),
    ] as [([String: Value], String)])
  func `settings decide what there is, and its UUIDs`(settings: [String: Value], table: String) throws {
    #expect(try Self.table(settings) == table)
  }

  @Test(
    arguments: [
      ([0xFF], "the service 'serial-port': a UUID has 2, 4 or 16 bytes, not 1"),
      ([], "the service 'serial-port': a UUID has 2, 4 or 16 bytes, not 0"),
    ] as [([UInt8], String)])
  func `what cannot be is no table`(service: [UInt8], message: String) {
    #expect {
      try Self.table(["service": .bytes(service)])
    } throws: {
      "\($0)" == message
    }
  }

  @Test func `a service is advertised with the UUID that it has, and as long as it is there`() throws {
    let definition = try #require(
      load(
        """
        settings:
          service: { type: bytes, max: 2, default: FFE0 }
          has-battery: { type: boolean, default: true }
        advertisement: { services: ["0x180F", 180D, port] }
        services:
          - { id: port, uuid: "{service}", characteristics: [{ uuid: FFE1, properties: [read] }] }
          - { uuid: 180F, if: has-battery, characteristics: [{ uuid: 2A19, properties: [read] }] }
        """
      ).definition)
    var context = definition.initialContext
    #expect(try definition.advertised(in: context).serviceUUIDs == [0x180F, 0x180D, 0xFFE0])
    context.settings = [.bytes([0xFF, 0xF0]), .boolean(false)]
    #expect(try definition.advertised(in: context).serviceUUIDs == [0x180D, 0xFFF0])
  }
}
