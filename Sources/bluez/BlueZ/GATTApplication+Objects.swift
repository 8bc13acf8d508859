import Behavior
import Bluetooth
import DBus
import DeviceModel
import EventLoop

/// The object tree: `/blemu/service0/characteristic1/descriptor0`, characteristics counted over all services.
extension GATTApplication {
  var tree: ObjectTree {
    var objects: [ExportedObject] = []
    for service in table.services {
      objects.append(object(for: service))
      for characteristic in service.characteristics {
        objects.append(object(for: characteristic))
        for descriptor in definition.characteristics[characteristic.index].descriptors.indices {
          objects.append(object(forDescriptor: descriptor, of: characteristic.index))
        }
      }
    }
    return ObjectTree(root: BlueZ.applicationRoot, objects: objects)
  }

  static func path(ofService number: Int) -> ObjectPath {
    BlueZ.applicationRoot.appending("service\(number)")
  }

  static func path(ofCharacteristic index: Int, in definition: PeripheralDefinition) -> ObjectPath {
    let service = definition.services.firstIndex { $0.characteristics.contains(index) } ?? 0
    return path(ofService: service).appending("characteristic\(index)")
  }

  private func object(for service: AttributeTable.Service) -> ExportedObject {
    ExportedObject(
      path: Self.path(ofService: service.index),
      interfaces: [
        DBusInterface(
          BlueZ.gattService,
          properties: [
            DBusProperty("UUID", .string(service.uuid.fullText)),
            DBusProperty("Primary", .bool(definition.services[service.index].isPrimary)),
          ])
      ])
  }

  private func object(for attribute: AttributeTable.Characteristic) -> ExportedObject {
    let index = attribute.index
    let characteristic = definition.characteristics[index]
    let service = definition.services.firstIndex { $0.characteristics.contains(index) } ?? 0
    var properties = [
      DBusProperty("UUID", .string(attribute.uuid.fullText)),
      DBusProperty("Service", .objectPath(Self.path(ofService: service))),
      DBusProperty(flags: characteristic.flags),
    ]
    // bluetoothd uses this property if it exists; a characteristic that only indicates is served by property
    // changes.
    if characteristic.properties.contains(.notify) {
      properties.append(DBusProperty("NotifyAcquired", false))
    }
    return ExportedObject(
      path: Self.path(ofCharacteristic: index, in: definition),
      interfaces: [
        DBusInterface(BlueZ.characteristic, properties: properties, methods: methods(ofCharacteristic: index))
      ])
  }

  private func methods(ofCharacteristic index: Int) -> [DBusMethod] {
    let attribute = ServedAttribute(.characteristic(index), of: definition.characteristics)
    return [
      DBusMethod("ReadValue", "a{sv}", returns: "ay") { self.read(attribute, $0) },
      DBusMethod("WriteValue", "aya{sv}") { self.write(attribute, $0) },
      DBusMethod("AcquireNotify", "a{sv}", returns: "hq") { self.acquireNotify(index, $0) },
      DBusMethod("StartNotify") { self.startNotify(index, $0) },
      DBusMethod("StopNotify") { self.stopNotify(index, $0) },
      DBusMethod("Confirm") { self.confirm(index, $0) },
    ]
  }

  private func object(forDescriptor number: Int, of index: Int) -> ExportedObject {
    let descriptor = definition.characteristics[index].descriptors[number]
    let characteristic = Self.path(ofCharacteristic: index, in: definition)
    let attribute = ServedAttribute(
      .descriptor(number, of: index), of: definition.characteristics)
    let flags = (descriptor.canRead ? ["read"] : []) + (descriptor.canWrite ? ["write"] : [])
    return ExportedObject(
      path: characteristic.appending("descriptor\(number)"),
      interfaces: [
        DBusInterface(
          BlueZ.descriptor,
          properties: [
            DBusProperty("UUID", .string(descriptor.uuid.fullText)),
            DBusProperty("Characteristic", .objectPath(characteristic)),
            DBusProperty(flags: flags + descriptor.permissions.names),
          ],
          methods: [
            DBusMethod("ReadValue", "a{sv}", returns: "ay") { self.read(attribute, $0) },
            DBusMethod("WriteValue", "aya{sv}") { self.write(attribute, $0) },
          ])
      ])
  }
}

extension DBusProperty {
  /// bluetoothd (5.66 to 5.87: src/gatt-database.c, `parse_chrc_flags`) refuses a list without flags. `authorize` permits nothing.
  fileprivate init(flags: [String]) {
    self.init("Flags", .strings(flags.isEmpty ? ["authorize"] : flags))
  }
}

extension CharacteristicDefinition {
  /// The flags of `org.bluez.GattCharacteristic1`.
  fileprivate var flags: [String] {
    properties.names + permissions.subtracting(.beyondProperties).names
  }
}
