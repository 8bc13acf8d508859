import Bluetooth
import DeviceModel

extension AttributeDatabase {
  /// The handles of the attributes that a device has with some settings.
  @Sendable package static func handles(
    of definition: PeripheralDefinition, _ table: AttributeTable
  ) -> [HandleOwner: AttributeHandle] {
    var handles: [HandleOwner: AttributeHandle] = [:]
    let database = AttributeDatabase(definition, table, name: "")
    // Among them those whose values the server has itself.
    for index in definition.characteristics.indices {
      handles[.attribute(.characteristic(index))] = database.handle(of: index)
    }
    for (index, handle) in database.serviceHandles { handles[.service(index)] = handle }
    for attribute in database.attributes {
      switch attribute.content {
      case .value(let reference): handles[.attribute(reference)] = attribute.handle
      case .configuration(.characteristic(let index), _):
        handles[.configuration(of: index)] = attribute.handle
      case .constant, .clientFeatures, .configuration(.serviceChanged, _): break
      }
    }
    return handles
  }
}
