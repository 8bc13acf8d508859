import Bluetooth
import DeviceModel
import GATTClient

/// Which attributes of a device those of a definition are: services of the same UUID in their order, and so on below.
package struct RelayMap: Hashable, Sendable {
  private(set) var handles: [AttributeReference: AttributeHandle] = [:]
  /// The CCCDs, by characteristic.
  private(set) var configurations: [Int: AttributeHandle] = [:]
  /// The characteristics, by the handles of their values.
  private(set) var characteristics: [AttributeHandle: Int] = [:]
  /// What the device lacks: the UUIDs of services, the ids of characteristics and the names of descriptors.
  package private(set) var missing: [String] = []
  /// Whether they have a characteristic in common, Generic Access and Generic Attribute apart.
  package private(set) var hasCommon = false

  package init(_ definition: PeripheralDefinition, _ table: AttributeTable, at device: DiscoveredTable) {
    var services = device.services
    for service in table.services {
      let found = services.firstIndex { $0.uuid == service.uuid }.map { services.remove(at: $0) }
      if found == nil { missing.append("\(service.uuid)") }
      guard var rest = found?.characteristics else { continue }
      for characteristic in service.characteristics {
        guard let index = rest.firstIndex(where: { $0.uuid == characteristic.uuid }) else {
          missing.append(definition.characteristics[characteristic.index].id)
          continue
        }
        add(characteristic.index, rest.remove(at: index), of: definition)
        if service.uuid != 0x1800, service.uuid != 0x1801 { hasCommon = true }
      }
    }
  }

  private mutating func add(
    _ index: Int, _ characteristic: DiscoveredCharacteristic, of definition: PeripheralDefinition
  ) {
    handles[.characteristic(index)] = characteristic.handle
    characteristics[characteristic.handle] = index
    configurations[index] = characteristic.configuration
    var rest = characteristic.descriptors
    for (number, descriptor) in definition.characteristics[index].descriptors.enumerated() {
      let reference = AttributeReference.descriptor(number, of: index)
      guard let found = rest.firstIndex(where: { $0.type == descriptor.uuid }) else {
        missing.append(definition.name(of: reference))
        continue
      }
      handles[reference] = rest.remove(at: found).handle
    }
  }
}
