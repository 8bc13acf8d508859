import AttributeServer
import Bluetooth
import Framing
import DeviceModel

/// Shows the attribute table as a central discovers it.
struct AttributeSheet {
  private(set) var text = "attributes\n"
  private let definition: PeripheralDefinition
  private let handles: HandleAssignment?
  private var handle: Int

  /// - Parameters:
  ///   - table: the attributes of the device with its settings.
  ///   - handles: the handles that a central discovers; nil if the transport does not assign any.
  init(_ definition: PeripheralDefinition, _ table: AttributeTable, _ handles: HandleAssignment?) {
    (self.definition, self.handles, handle) = (definition, handles, Int(handles?.first ?? 0))
    for service in table.services {
      let kind = definition.services[service.index].isPrimary ? "service" : "secondary service"
      line("\(kind) \(Self.named(service.uuid))", indent: 0)
      for characteristic in service.characteristics { add(characteristic) }
    }
    addDependencies(table)
    if let handles { text += "  \(handles.note)\n" }
    addLink()
  }

  /// - Parameter database: all attributes, with their handles.
  init(_ definition: PeripheralDefinition, _ table: AttributeTable, _ database: AttributeDatabase) {
    (self.definition, handles, handle) = (definition, nil, 0)
    text = DatabaseSheet(definition, database).text
    addDependencies(table)
    addLink()
  }

  private mutating func addLink() {
    if let mtu = definition.link.mtu { text += "  sends at most \(mtu - 3) bytes per value (MTU \(mtu))\n" }
    if let centrals = definition.link.centrals {
      text += "  accepts \(centrals == 1 ? "one central" : "\(centrals) centrals") at a time\n"
    }
  }

  private mutating func add(_ attribute: AttributeTable.Characteristic) {
    let characteristic = definition.characteristics[attribute.index]
    let isNamed = characteristic.id != attribute.uuid.description
    let name = Self.named(attribute.uuid) + (isNamed ? " '\(characteristic.id)'" : "")
    handle += 1  // the handle of its declaration
    let rights = characteristic.properties.names + characteristic.permissions.names
    line(name, indent: 2, rights.joined(separator: ", "))
    if characteristic.properties.delivery != nil, let handles {
      line("2902 (Client Characteristic Configuration), made by \(handles.server)", indent: 4)
    }
    for descriptor in characteristic.descriptors {
      let rights = descriptor.propertyNames + descriptor.permissions.names
      line(Self.named(descriptor.uuid), indent: 4, rights.joined(separator: ", "))
    }
  }

  /// Adds the attributes that depend on settings, and those that are live.
  private mutating func addDependencies(_ table: AttributeTable) {
    let live = definition.characteristics.indices.filter {
      table.contains($0) && definition.characteristics[$0].live != .no
    }
    if !live.isEmpty {
      text += "  live: \(live.map { "'\(definition.characteristics[$0].id)'" }.joined(separator: ", "))\n"
    }
    for (index, service) in definition.services.enumerated() {
      let isPresent = table.services.contains { $0.index == index }
      addDependency("service '\(service.id)'", service.uuid, service.presence, isPresent)
      for index in service.characteristics {
        let characteristic = definition.characteristics[index]
        addDependency(
          "'\(characteristic.id)'", characteristic.uuid, characteristic.presence, table.contains(index))
      }
    }
  }

  private mutating func addDependency(
    _ name: String, _ uuid: UUIDTemplate, _ presence: Presence?, _ isPresent: Bool
  ) {
    if uuid.literal == nil { text += "  the UUID of \(name) is \(uuid.source)\n" }
    guard let presence, presence.source != "false" else { return }
    text += "  \(name) exists if \(presence.source)\(isPresent ? "" : " (false with these settings)")\n"
  }

  private mutating func line(_ name: String, indent: Int, _ rights: String = "") {
    let place = handles == nil ? "" : handle.hexadecimal(digits: 4) + "  "
    let column = String(repeating: " ", count: indent) + name
    text += "  \(place)" + (rights.isEmpty ? column : column.padded(to: 30 + indent, gap: 2) + rights) + "\n"
    handle += 1
  }

  private static func named(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) (\($0))" } ?? uuid.description
  }
}
