import Bluetooth
import BlueZLimits
import Definitions
import EventLoop
import Framing
import Peripheral
import TestSupport
import Testing

@testable import Behavior
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
        .invalid,
        "advertising data needs 47 bytes, but only 31 fit: manufacturer-data takes 44; shorten it by 16",
        hint: "change the setting, or shorten the definition's advertisement")
    ) { try transport.checkLimits(of: Self.device(0xFFE0, Self.advertisement(40))) }
    #expect(
      throws: TransportError(
        .invalid,
        "the service 'port': BlueZ serves its own Generic Attribute (1801) instead of this one, and there is no "
          + "other service",
        hint: "change the setting with --set or in the file of --state")
    ) { try transport.checkLimits(of: Self.device(0x1801, Self.advertisement(1))) }
  }

  @Test func `a change that BlueZ would refuse later changes nothing`() throws {
    let text = """
      blemu: 1
      name: Device
      settings: { service: { type: bytes, max: 2, default: FFE0 } }
      variables: { data: { type: bytes, max: 60, default: "" } }
      advertisement: { manufacturer-data: { FFFF: "{data}" } }
      services:
        - { id: port, uuid: "{service}", characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }
      messages: { data: "FF {data: bytes}", service: "01 {a: u8} {b: u8}" }
      rules:
        - { on: { receive: data }, do: [{ set: { data: data } }, { advertise: true }] }
        - { on: { receive: service }, do: [{ set: { service: u8(a) + u8(b) } }, reset] }
      """
    let device = try define(text)
    var engine = try Engine(
      device, settings: device.settings.map(\.initial), address: DeviceAddress([0, 0, 0, 0, 0, 1])!,
      limits: BlueZLimits())
    func write(_ bytes: [UInt8]) -> [Action] {
      let event = Event.writeRequested(nil, .characteristic(0), value: bytes, offset: 0, .request)
      return engine.handle(event, at: Instant()).actions
    }
    let problem =
      "advertising data needs 47 bytes, but only 31 fit: manufacturer-data takes 44; shorten it by 16"
    #expect(
      write([0xFF] + [UInt8](repeating: 0, count: 40)) == [
        .remark(.logged("the advertisement stays as it was: \(problem)"))
      ])
    let kept = Action.remark(
      .logged(
        "the attributes stay as they were: the service 'port': BlueZ serves its own Generic Access (1800) "
          + "instead of this one, and there is no other service"))
    #expect(write([0x01, 0x18, 0x00]).first == kept)
    #expect(engine.table.services.map(\.uuid) == [0xFFE0])
  }
}
