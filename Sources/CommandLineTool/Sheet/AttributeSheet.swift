import Bluetooth
import DeviceModel

/// The attribute table that a central will find.
struct AttributeSheet {
  private(set) var text = "attributes\n"
  private let definition: PeripheralDefinition
  private let handles: HandleAssignment?
  private var handle: Int

  /// - Parameters:
  ///   - table: those of the definition's attributes that it has.
  ///   - handles: those that a central finds; nil: the attributes have none.
  init(_ definition: PeripheralDefinition, _ table: AttributeTable, _ handles: HandleAssignment?) {
    (self.definition, self.handles, handle) = (definition, handles, Int(handles?.first ?? 0))
    for service in table.services {
      let kind = definition.services[service.index].isPrimary ? "service" : "secondary service"
      line("\(kind) \(Self.named(service.uuid))", indent: 0)
      for characteristic in service.characteristics { add(characteristic) }
    }
    addDependencies(table)
    if let handles { text += "  \(handles.note)\n" }
    if let mtu = definition.link.mtu { text += "  sends at most \(mtu - 3) bytes at once (MTU \(mtu))\n" }
    if let centrals = definition.link.centrals {
      text += "  lets \(centrals == 1 ? "one central" : "\(centrals) centrals") in at once\n"
    }
  }

  private mutating func add(_ attribute: AttributeTable.Characteristic) {
    let characteristic = definition.characteristics[attribute.index]
    let isNamed = characteristic.id != attribute.uuid.description
    let name = Self.named(attribute.uuid) + (isNamed ? " '\(characteristic.id)'" : "")
    handle += 1  // its declaration
    let rights = characteristic.properties.names + characteristic.permissions.names
    line(name, indent: 2, rights.joined(separator: ", "))
    if characteristic.canNotify, let handles {
      line("2902 (Client Characteristic Configuration), made by \(handles.server)", indent: 4)
    }
    for descriptor in characteristic.descriptors {
      let rights = (descriptor.canRead ? ["read"] : []) + (descriptor.canWrite ? ["write"] : [])
      line(
        Self.named(descriptor.uuid), indent: 4,
        (rights + descriptor.permissions.names).joined(separator: ", "))
    }
  }

  /// What there is with other settings.
  private mutating func addDependencies(_ table: AttributeTable) {
    for (index, service) in definition.services.enumerated() {
      let isThere = table.services.contains { $0.index == index }
      addDependency("service '\(service.id)'", service.uuid, service.presence, isThere)
      for index in service.characteristics {
        let characteristic = definition.characteristics[index]
        addDependency(
          "'\(characteristic.id)'", characteristic.uuid, characteristic.presence, table.contains(index))
      }
    }
  }

  private mutating func addDependency(
    _ name: String, _ uuid: UUIDTemplate, _ presence: Presence?, _ isThere: Bool
  ) {
    if uuid.literal == nil { text += "  the UUID of \(name) is \(uuid.source)\n" }
    guard let presence else { return }
    text += "  \(name) is there if \(presence.source)\(isThere ? "" : ": not with these settings")\n"
  }

  private mutating func line(_ name: String, indent: Int, _ rights: String = "") {
    let place = handles == nil ? "" : handle.hexadecimal(digits: 4) + "  "
    let column = String(repeating: " ", count: indent) + name
    text += "  \(place)" + (rights.isEmpty ? column : column.padded(to: 30 + indent) + rights) + "\n"
    handle += 1
  }

  private static func named(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) (\($0))" } ?? uuid.description
  }
}
