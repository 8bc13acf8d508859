import BlueZLimits
import Bluetooth
import DBus
import Peripheral
import TestSupport
import Testing

@testable import BlueZ

@Suite struct AdapterTests {
  private static func adapter(_ properties: [(String, DBusValue)]) -> DBusValue {
    .array(
      of: "{sa{sv}}",
      [
        .dictEntry(key: "org.bluez.Adapter1", value: .dictionary(properties)),
        .dictEntry(key: "org.bluez.GattManager1", value: [:]),
        .dictEntry(
          key: "org.bluez.LEAdvertisingManager1",
          value: ["ActiveInstances": .byte(2), "SupportedInstances": .byte(3)]),
      ])
  }

  private static func device(connected: Bool) -> DBusValue {
    .array(of: "{sa{sv}}", [.dictEntry(key: "org.bluez.Device1", value: ["Connected": .bool(connected)])])
  }

  private static let objects = DBusValue.array(
    of: "{oa{sa{sv}}}",
    [
      .dictEntry(
        key: .objectPath("/org/bluez/hci10"),
        value: adapter([("Address", "00:AA:01:0A:00:00"), ("Powered", true)])),
      .dictEntry(
        key: .objectPath("/org/bluez/hci2"),
        value: adapter([
          ("Address", "00:AA:01:02:00:00"), ("Alias", "Desk"), ("Name", "host"),
          ("Modalias", "usb:v1D6Bp0246d0542"), ("AddressType", "random"),
        ])),
      .dictEntry(key: .objectPath("/org/bluez/hci2/dev_00_AA_01_01_00_01"), value: device(connected: true)),
      .dictEntry(key: .objectPath("/org/bluez/hci2/dev_00_AA_01_01_00_02"), value: device(connected: false)),
      .dictEntry(key: .objectPath("/org/bluez"), value: .array(of: "{sa{sv}}", [])),
    ])

  @Test func `adapters are read from BlueZ's objects, in the order of their numbers`() throws {
    let adapters = Adapter.all(in: Self.objects)
    #expect(adapters.map(\.name) == ["hci2", "hci10"])
    #expect(adapters[0].address.description == "00:AA:01:02:00:00")
    #expect(adapters[0].alias == "Desk")
    #expect(!adapters[0].isPowered)
    #expect(adapters[0].canBePeripheral)
    #expect(adapters[0].advertisements == 2)
    #expect(adapters[0].connected.map(\.string) == ["/org/bluez/hci2/dev_00_AA_01_01_00_01"])
    #expect(adapters[1].isPowered)
  }

  @Test func `a device that was found by a private address has an identity`() {
    let path = "/org/bluez/hci2/dev_5E_B0_22_41_9C_7A"
    let properties: [(String, DBusValue)] = [("Address", "C0:12:34:56:78:9A"), ("AddressType", "random")]
    let object = DBusValue.dictEntry(
      key: .objectPath(ObjectPath(path)!),
      value: .array(
        of: "{sa{sv}}", [.dictEntry(key: "org.bluez.Device1", value: .dictionary(properties))]))
    let adapters = Adapter.all(in: .array(of: "{oa{sa{sv}}}", (Self.objects.array ?? []) + [object]))
    #expect(
      adapters[0].identities == [
        DeviceAddress("5E:B0:22:41:9C:7A")!: LinkAddress(DeviceAddress("C0:12:34:56:78:9A")!, .random)
      ])
  }

  @Test func `the kernel's number and the kind of address are known`() {
    let controllers = Adapter.all(in: Self.objects).map(\.controller)
    #expect(
      controllers == [
        LocalController(
          index: 2, address: LinkAddress(DeviceAddress("00:AA:01:02:00:00")!, .random)),
        LocalController(
          index: 10, address: LinkAddress(DeviceAddress("00:AA:01:0A:00:00")!, .public)),
      ])
  }

  @Test func `a choice is one of the adapters that are there`() throws {
    let adapters = Adapter.all(in: Self.objects)
    func names(_ choice: AdapterChoice) throws -> [String] { try choice.candidates(of: adapters).map(\.name) }
    #expect(try names(.first) == ["hci2", "hci10"])
    #expect(try names(.named("hci10")) == ["hci10"])
    #expect(try names(.address(DeviceAddress("00:AA:01:02:00:00")!)) == ["hci2"])
    #expect(throws: TransportError(.noSuchAdapter("hci1", known: adapters.map(\.known)))) {
      try names(.named("hci1"))
    }
    #expect(throws: TransportError(.noAdapter)) { try AdapterChoice.first.candidates(of: [], kernel: []) }
    let kernel = [
      LocalController(index: 0, address: LinkAddress(DeviceAddress("00:AA:01:00:00:00")!, .public))
    ]
    #expect(throws: TransportError(.adapterIsNotServed("hci0"))) {
      try AdapterChoice.first.candidates(of: [], kernel: kernel)
    }
    #expect(throws: TransportError(.noSuchAdapter("hci1", known: kernel.map { .init($0) }))) {
      try AdapterChoice.named("hci1").candidates(of: [], kernel: kernel)
    }
  }

  @Test func `without a choice it is the first that no device of blemu uses`() throws {
    let (adapters, folder) = (Adapter.all(in: Self.objects), TemporaryFolder())
    let records = folder.path + "state"
    let first = try AdapterChoice.first.peripheral(of: adapters, in: records)
    let second = try AdapterChoice.first.peripheral(of: adapters, in: records)
    #expect((first.0.name, second.0.name) == ("hci2", "hci10"))
    #expect(try AdapterChoice.named("hci2").peripheral(of: adapters, in: records).0.name == "hci2")
    #expect(throws: TransportError(.noneFree(["hci2", "hci10"]))) {
      try AdapterChoice.first.peripheral(of: adapters, in: records)
    }
    withExtendedLifetime((first, second)) {}
  }

  @Test func `nonsense in place of objects is no adapter`() {
    #expect(Adapter.all(in: nil).isEmpty)
    #expect(Adapter.all(in: "adapter").isEmpty)
    #expect(Adapter.all(in: ["/org/bluez/hci0": true]).isEmpty)
  }

  @Test(arguments: [
    ("usb:v1D6Bp0246d0542", "BlueZ 5.66"), ("usb:v1D6Bp0246d0552", "BlueZ 5.82"),
    ("usb:v1D6Bp0246d0505", "BlueZ 5.05"),
    ("usb:v0A5Cp1234d0100", "BlueZ"), ("", "BlueZ"),
  ])
  func `the version is read from BlueZ's own device ID`(modalias: String, text: String) {
    #expect(BlueZVersion(modalias: modalias)?.description ?? "BlueZ" == text)
  }

  @Test func `a device's address is read from its path`() {
    #expect(
      DeviceAddress(devicePath: "/org/bluez/hci0/dev_4C_32_75_0A_11_9E")?.description == "4C:32:75:0A:11:9E")
    #expect(DeviceAddress(devicePath: "/org/bluez/hci0") == nil)
    #expect(DeviceAddress(devicePath: "/org/bluez/hci0/dev_4C_32") == nil)
  }
}

extension Adapter {
  /// The adapters in a message with these objects; nil: in an empty message.
  fileprivate static func all(in objects: DBusValue?) -> [Adapter] {
    let message = try! DBusMessage.signal(
      path: "/", interface: "test.Interface", member: "Told", arguments: objects.map { [$0] } ?? [])
    var reader = message.reader()
    return all(in: &reader)
  }
}
