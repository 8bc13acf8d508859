import Bluetooth
import DeviceModel

/// The attribute table that a central will find.
struct AttributeSheet {
  /// The first handle behind BlueZ's own attributes (Generic Access, Generic Attribute, Device Information), as
  /// BlueZ 5.66 gives it to the first program since bluetoothd began.
  private static let firstHandle = 0x15

  private(set) var text = "attributes\n"
  private let definition: PeripheralDefinition
  private var handle = Self.firstHandle

  /// - Parameter table: those of the definition's attributes that it has.
  init(_ definition: PeripheralDefinition, _ table: AttributeTable) {
    self.definition = definition
    for service in table.services {
      let kind = definition.services[service.index].isPrimary ? "service" : "secondary service"
      line("\(kind) \(Self.named(service.uuid))", indent: 0)
      for characteristic in service.characteristics { add(characteristic) }
    }
    addDependencies(table)
    text += """
        handles are those of BlueZ 5.66 for the first device since bluetoothd began, a later one's are higher

      """
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
    if characteristic.canNotify {
      line("2902 (Client Characteristic Configuration), made by BlueZ", indent: 4)
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
    let head = String(handle, radix: 16, uppercase: true)
    let place = String(repeating: "0", count: max(0, 4 - head.count)) + head
    let column = String(repeating: " ", count: indent) + name
    text += "  \(place)  " + (rights.isEmpty ? column : column.padded(to: 30 + indent) + rights) + "\n"
    handle += 1
  }

  private static func named(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) (\($0))" } ?? uuid.description
  }
}
