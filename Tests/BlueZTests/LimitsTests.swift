import Behavior
import Bluetooth
import EventLoop
import Peripheral
import Testing

@testable import BlueZ
@testable import DeviceModel

/// What BlueZ would refuse does not come to it. `Tests/VM/test_limits.py` has the same of a device on the air.
@Suite struct LimitsTests {
  private static let definition: PeripheralDefinition = {
    var definition = PeripheralDefinition(name: "Device")
    definition.services = [
      ServiceDefinition(
        id: "port", uuid: .literal(0xFFE0), presence: nil, isPrimary: true, characteristics: 0..<0)
    ]
    return definition
  }()

  private static func table(_ uuid: BluetoothUUID) -> AttributeTable {
    AttributeTable(services: [AttributeTable.Service(index: 0, uuid: uuid, characteristics: [])])
  }

  private static func advertisement(_ count: Int) -> Advertisement {
    var advertisement = Advertisement()
    advertisement.manufacturerData = [
      ManufacturerData(company: 0x004C, bytes: [UInt8](repeating: 0, count: count))
    ]
    return advertisement
  }

  private static func device(_ uuid: BluetoothUUID, _ advertisement: Advertisement) -> DeviceOnAir {
    DeviceOnAir(
      definition: definition, table: table(uuid), advertisement: advertisement, deviceName: "Device")
  }

  @EventLoop @Test func `settings that do not fit are refused before anything is on the air`() throws {
    let transport = BlueZTransport()
    try transport.checkLimits(of: Self.device(0xFFE0, Self.advertisement(24)))
    #expect(
      throws: TransportError(
        .invalid, "advertising data needs 47 of 31 bytes: manufacturer-data takes 44; shorten it by 16",
        hint: "change the setting, or shorten the definition's advertisement")
    ) { try transport.checkLimits(of: Self.device(0xFFE0, Self.advertisement(40))) }
    #expect(
      throws: TransportError(
        .invalid, "the service 'port': BlueZ has Generic Attribute (1801) of its own, and refuses another",
        hint: "change the setting, with --set or in the file of --state")
    ) { try transport.checkLimits(of: Self.device(0x1801, Self.advertisement(1))) }
  }

  @EventLoop @Test func `a later advertisement that has no room changes nothing`() {
    let (transport, host) = (BlueZTransport(), WarnedHost())
    transport.host = host
    let (small, large) = (Self.advertisement(24), Self.advertisement(40))
    #expect(transport.canAdvertise(small, insteadOf: nil) && transport.canAdvertise(nil, insteadOf: small))
    #expect(host.warnings == [])
    #expect(
      !transport.canAdvertise(large, insteadOf: small) && !transport.canAdvertise(large, insteadOf: nil))
    let problem = "advertising data needs 47 of 31 bytes: manufacturer-data takes 44; shorten it by 16"
    #expect(
      host.warnings == ["the advertisement stays as it was: \(problem)", "nothing is advertised: \(problem)"])
  }

  @EventLoop @Test func `later attributes that BlueZ has of its own change nothing`() {
    let (transport, host) = (BlueZTransport(), WarnedHost())
    transport.host = host
    #expect(transport.canServe(Self.table(0xFFF0), of: Self.definition))
    #expect(!transport.canServe(Self.table(0x1800), of: Self.definition))
    #expect(
      host.warnings == [
        "the attributes stay as they were: the service 'port': BlueZ has Generic Access (1800) of its own, "
          + "and refuses another"
      ])
  }
}

/// Keeps what a transport warns of.
@EventLoop
private final class WarnedHost: TransportHost {
  private(set) var warnings: [String] = []

  func receive(_ event: Event, respond: Responder?) {}
  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
  func fellOffAir(_ reason: String) {}
  func cameBackOnAir() {}
  func warn(_ message: String) { warnings.append(message) }
}
