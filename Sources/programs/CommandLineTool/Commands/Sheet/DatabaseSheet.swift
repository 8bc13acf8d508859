import AttributeServer
import Bluetooth
import DeviceModel
import Framing

/// Shows the whole attribute table that blemu itself serves, with the handles that a central discovers.
struct DatabaseSheet {
  let text: String

  init(_ definition: PeripheralDefinition, _ database: AttributeDatabase) {
    let lines = database.attributes.map { Self.line($0, definition) }
    text = "attributes\n" + lines.map { "  \($0)\n" }.joined()
  }

  private static func line(
    _ attribute: AttributeDatabase.Attribute, _ definition: PeripheralDefinition
  ) -> String {
    let head = attribute.handle.hexadecimal(digits: 4) + "  "
    switch (attribute.type, attribute.content) {
    case (0x2800, .constant(let value)): return head + service("service", value, attribute)
    case (0x2801, .constant(let value)): return head + service("secondary service", value, attribute)
    case (0x2802, .constant(let value)) where value.count >= 2:
      return head + "  includes the service at \(UInt16(value[0], value[1]).hexadecimal(digits: 4))"
    case (0x2803, .constant(let value)):
      guard let declaration = CharacteristicDeclaration(value) else { return head }
      let words = declaration.properties.names.joined(separator: ", ")
      return head + ("  " + named(declaration.uuid)).padded(to: 32, gap: 2) + words
    case (_, .value(.characteristic(let index))):
      let characteristic = definition.characteristics[index]
      return head + "    value" + id(of: characteristic, attribute.type)
        + permissions(characteristic.permissions)
    case (_, .value(.descriptor(let number, let index))):
      return head + "    " + named(attribute.type)
        + permissions(definition.characteristics[index].descriptors[number].permissions)
    case (_, .constant(let value)):
      return head + ("    " + role(attribute)).padded(to: 34, gap: 2) + HexText.format(value)
    case (_, .clientFeatures): return head + "    value".padded(to: 34, gap: 2) + "one for each central"
    default: return head + "    " + role(attribute)
    }
  }

  /// The assigned numbers of descriptors begin with 29.
  private static func role(_ attribute: AttributeDatabase.Attribute) -> String {
    let isDescriptor = attribute.type.short.map { $0 >> 8 == 0x29 } ?? false
    return isDescriptor ? named(attribute.type) : "value"
  }

  private static func service(
    _ kind: String, _ value: [UInt8], _ attribute: AttributeDatabase.Attribute
  ) -> String {
    let uuid = BluetoothUUID(attributeTypeBytes: value).map(named) ?? ""
    return "\(kind) \(uuid)".padded(to: 32, gap: 2) + "to \(attribute.groupEnd.hexadecimal(digits: 4))"
  }

  private static func id(of characteristic: CharacteristicDefinition, _ uuid: BluetoothUUID) -> String {
    characteristic.id == uuid.description ? "" : " '\(characteristic.id)'"
  }

  /// They are not discovered: a central meets them when it reads or writes.
  private static func permissions(_ permissions: AttributePermissions) -> String {
    permissions.isEmpty ? "" : ", \(permissions.names.joined(separator: ", "))"
  }

  private static func named(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) (\($0))" } ?? uuid.description
  }
}
