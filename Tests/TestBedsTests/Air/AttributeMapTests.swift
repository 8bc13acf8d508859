import Behavior
import Bluetooth
import Centrals
import Definitions
import DeviceModel
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// Finding the attributes of a definition among those of bluetoothd.
@Suite struct AttributeMapTests {
  private let definition: PeripheralDefinition = {
    let yaml = """
      blemu: 1
      name: Device
      services:
        - uuid: 180A
          characteristics: [{ id: model, uuid: 2A24, properties: [read], text: A }]
        - uuid: FFE0
          characteristics:
            - { id: one, uuid: FFE1, properties: [read] }
            - id: other
              uuid: FFE1
              properties: [read]
              descriptors: [{ uuid: 2901, text: A }, { uuid: 2904, value: "00" }]
            - { id: missing, uuid: FFE9, properties: [read] }
        - uuid: FFE0
          characteristics: [{ id: second, uuid: FFE1, properties: [read] }]
      """
    return try! define(yaml)
  }()

  private static func service(_ uuid: BluetoothUUID, _ characteristics: [DiscoveredCharacteristic])
    -> DiscoveredService
  {
    DiscoveredService(
      uuid: uuid, handles: HandleRange(characteristics[0].declarationHandle, characteristics.last!.handle),
      characteristics: characteristics)
  }

  private static func characteristic(
    _ uuid: BluetoothUUID, _ handle: UInt16, _ descriptors: [AttributeInformation] = []
  ) -> DiscoveredCharacteristic {
    DiscoveredCharacteristic(
      uuid: uuid, properties: .read, declarationHandle: handle - 1, handle: handle, descriptors: descriptors)
  }

  private var map: AttributeMap { map(areLast: true) }

  private func map(areLast: Bool) -> AttributeMap {
    AttributeMap(
      definition, try! definition.attributes(in: definition.initialContext),
      at: DiscoveredTable(services: [
        Self.service(0x1800, [Self.characteristic(0x2A00, 3)]),
        Self.service(0x180A, [Self.characteristic(0x2A50, 7)]),
        Self.service(0x180A, [Self.characteristic(0x2A24, 12)]),
        Self.service(
          0xFFE0,
          [
            Self.characteristic(0xFFE1, 22),
            Self.characteristic(
              0xFFE1, 24,
              [AttributeInformation(25, 0x2902), AttributeInformation(26, 0x2901)]),
          ]),
        Self.service(0xFFE0, [Self.characteristic(0xFFE1, 32)]),
      ]), areLast: areLast)
  }

  @Test func `several services and characteristics with one UUID are told apart`() throws {
    #expect(try (0..<3).map { try map.remote($0).handle } == [12, 22, 24])
    #expect(try map.remote(4).handle == 32)
    #expect([12, 22, 24, 32, 3, 99].map { map.senders[$0] } == [0, 1, 2, 4, nil, nil])
  }

  @Test func `a descriptor is found after its characteristic`() throws {
    #expect(try map.handle(of: .descriptor(0, of: 2)) == 26)
    #expect(try map.handle(of: .characteristic(2)) == 24)
  }

  @Test func `of several services with one UUID, those before or after the device's are others'`() {
    #expect(map.missing == ["other/2904", "missing"] && map.hasCommon)
    let first = map(areLast: false)
    #expect(first.missing == ["model", "other/2904", "missing"])
    #expect(first.handles[.characteristic(0)] == nil && first.handles[.characteristic(4)] == 32)
  }

  @Test func `a missing attribute is reported by name`() {
    #expect(throws: TestBedError("the central does not find 'missing'")) { try map.remote(3) }
    #expect(throws: TestBedError("the central does not find 'other/2904'")) {
      try map.handle(of: .descriptor(1, of: 2))
    }
  }
}
