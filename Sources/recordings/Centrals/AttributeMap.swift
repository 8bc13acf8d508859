import Bluetooth
import DeviceModel

/// Which attributes of a device those of a definition are: services of the same UUID in their order, and so on below.
package struct AttributeMap: Sendable {
  package let definition: PeripheralDefinition
  package let table: AttributeTable
  /// By index in the definition.
  package private(set) var characteristics: [Int: DiscoveredCharacteristic] = [:]
  package private(set) var handles: [AttributeReference: AttributeHandle] = [:]
  /// The characteristics, by the handles with which they send values.
  package private(set) var senders: [AttributeHandle: Int] = [:]
  /// What the device lacks: the UUIDs of services, the ids of characteristics and the names of descriptors.
  package private(set) var missing: [String] = []
  /// Whether they have a characteristic in common, Generic Access and Generic Attribute apart.
  package private(set) var hasCommon = false

  /// - Parameter areLast: of several services with the same UUID, the last ones are the definition's: bluetoothd's own come first.
  package init(
    _ definition: PeripheralDefinition, _ table: AttributeTable, at device: DiscoveredTable,
    areLast: Bool = false
  ) {
    (self.definition, self.table) = (definition, table)
    var services = areLast ? device.services.reversed() : device.services
    for service in areLast ? table.services.reversed() : table.services {
      let found = services.firstIndex { $0.uuid == service.uuid }.map { services.remove(at: $0) }
      if found == nil { missing.append("\(service.uuid)") }
      guard var rest = found?.characteristics else { continue }
      for characteristic in service.characteristics {
        guard let index = rest.firstIndex(where: { $0.uuid == characteristic.uuid }) else {
          missing.append(definition.characteristics[characteristic.index].id)
          continue
        }
        add(characteristic.index, rest.remove(at: index))
        if service.uuid != 0x1800, service.uuid != 0x1801 { hasCommon = true }
      }
    }
  }

  private mutating func add(_ index: Int, _ characteristic: DiscoveredCharacteristic) {
    characteristics[index] = characteristic
    handles[.characteristic(index)] = characteristic.handle
    var rest = characteristic.descriptors
    for (number, descriptor) in definition.characteristics[index].descriptors.enumerated() {
      let reference = AttributeReference.descriptor(number, of: index)
      guard let found = rest.firstIndex(where: { $0.type == descriptor.uuid }) else {
        missing.append(definition.name(of: reference))
        continue
      }
      handles[reference] = rest.remove(at: found).handle
    }
    let sender = definition.characteristics[index].sendingDescriptor
    senders[sender.flatMap { handles[.descriptor($0, of: index)] } ?? characteristic.handle] = index
  }
}
