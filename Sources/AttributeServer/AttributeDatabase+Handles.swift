import Bluetooth
import DeviceModel

extension AttributeDatabase {
  /// The handles of the attributes that a device has with some settings.
  @Sendable package static func handles(
    of definition: PeripheralDefinition, _ table: AttributeTable
  ) -> [HandleOwner: AttributeHandle] {
    var handles: [HandleOwner: AttributeHandle] = [:]
    for attribute in AttributeDatabase(definition, table, name: "").attributes {
      switch attribute.content {
      case .value(let reference): handles[.attribute(reference)] = attribute.handle
      case .configuration(.characteristic(let index), _):
        handles[.configuration(of: index)] = attribute.handle
      case .constant, .configuration(.serviceChanged, _): break
      }
    }
    return handles
  }
}
