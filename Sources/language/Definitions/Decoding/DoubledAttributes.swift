import Bluetooth
import DeviceModel

/// Finds UUIDs that occur twice with some settings. The ``AttributeChecker`` finds those that the file always has twice.
struct DoubledAttributes {
  typealias Found = (place: AttributeTableError.Place, uuid: BluetoothUUID)

  private let definition: PeripheralDefinition
  private var seenServices: Set<Int> = []
  private var seenCharacteristics: Set<Int> = []

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  /// The later of the two. Each is found only once, however many tables have it.
  mutating func found(in table: AttributeTable) -> [Found] {
    var found: [Found] = []
    for (index, uuid) in Self.doubles(table.services.map { ($0.index, $0.uuid, varies($0)) })
    where seenServices.insert(index).inserted {
      found.append((.service(index, definition.services[index].id), uuid))
    }
    for service in table.services {
      for (index, uuid) in Self.doubles(service.characteristics.map { ($0.index, $0.uuid, varies($0)) })
      where (uuid != HIDReports.uuid || !hasReferences(service)) && seenCharacteristics.insert(index).inserted
      {
        found.append((.characteristic(index, definition.characteristics[index].id), uuid))
      }
    }
    return found
  }

  /// The later of two attributes, if one of them depends on settings.
  private static func doubles(
    _ attributes: [(index: Int, uuid: BluetoothUUID, varies: Bool)]
  ) -> [(index: Int, uuid: BluetoothUUID)] {
    attributes.indices.compactMap { number in
      let (index, uuid, varies) = attributes[number]
      guard let first = attributes[..<number].first(where: { $0.uuid == uuid }) else { return nil }
      return varies || first.varies ? (index, uuid) : nil
    }
  }

  private func hasReferences(_ service: AttributeTable.Service) -> Bool {
    HIDReports.areReferenced(
      in: service.characteristics.map {
        ($0.uuid, definition.characteristics[$0.index].descriptors.map(\.uuid))
      })
  }

  private func varies(_ service: AttributeTable.Service) -> Bool {
    let definition = definition.services[service.index]
    return definition.presence != nil || definition.uuid.literal == nil
  }

  private func varies(_ characteristic: AttributeTable.Characteristic) -> Bool {
    let definition = definition.characteristics[characteristic.index]
    return definition.presence != nil || definition.uuid.literal == nil
  }
}
