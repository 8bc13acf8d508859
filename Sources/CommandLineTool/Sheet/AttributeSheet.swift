import Bluetooth
import Definitions

/// The attribute table that a central will find.
struct AttributeSheet {
  /// The first handle behind BlueZ's own attributes (Generic Access, Generic Attribute, Device Information), as
  /// BlueZ 5.66 gives it to the first program since bluetoothd began.
  private static let firstHandle = 0x15

  private(set) var text = "attributes\n"
  private var handle = Self.firstHandle

  init(_ definition: PeripheralDefinition) {
    for service in definition.services {
      let kind = service.isPrimary ? "service" : "secondary service"
      line("\(kind) \(Self.named(service.uuid))", indent: 0)
      for index in service.characteristics { add(definition.characteristics[index]) }
    }
    text += """
        handles are those of BlueZ 5.66 for the first device since bluetoothd began, a later one's are higher

      """
    if let mtu = definition.link.mtu { text += "  sends at most \(mtu - 3) bytes at once (MTU \(mtu))\n" }
    if let centrals = definition.link.centrals {
      text += "  lets \(centrals == 1 ? "one central" : "\(centrals) centrals") in at once\n"
    }
  }

  private mutating func add(_ characteristic: CharacteristicDefinition) {
    let isNamed = characteristic.id != characteristic.uuid.description
    let name = Self.named(characteristic.uuid) + (isNamed ? " '\(characteristic.id)'" : "")
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
