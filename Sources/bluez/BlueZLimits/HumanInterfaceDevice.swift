import Bluetooth
import DeviceModel

/// The reports of keyboards and mice (HID over GATT), which a Linux host does not get from bluetoothd.
///
/// bluetoothd sends every notification, also of a single value, as a Multiple Handle Value Notification to a central that has set
/// this feature in Client Supported Features (2B29), and bluetoothd as a central always sets it (bluez 5.54 to 5.87:
/// src/gatt-database.c, `send_notification_to_device`; src/shared/gatt-server.c, `bt_gatt_server_send_notification`). Its HID
/// driver takes only Handle Value Notifications (profiles/input/hog-lib.c; bluez issue 71).
package enum HumanInterfaceDevice {
  static let service: BluetoothUUID = 0x1812

  static let remark =
    "a Linux host hears no report: BlueZ sends Multiple Handle Value Notifications, which the host's HID driver ignores"
  static let remedy = "--on exact reaches every host"

  /// The warning for a device with these attributes when it goes on the air; nil: it affects no host.
  package static func warning(
    about table: AttributeTable, of definition: PeripheralDefinition
  ) -> String? {
    let isConcerned = table.services.contains { found in
      found.uuid == service && sendsReports(found.characteristics.map(\.index), definition)
    }
    return isConcerned ? "\(service.name ?? "HID") (\(service)): \(remark); \(remedy)" : nil
  }

  /// The services with reports, by index.
  static func services(of definition: PeripheralDefinition) -> [Int] {
    definition.services.indices.filter { index in
      let found = definition.services[index]
      return found.uuid.literal == service && sendsReports(Array(found.characteristics), definition)
    }
  }

  private static func sendsReports(
    _ characteristics: [Int], _ definition: PeripheralDefinition
  ) -> Bool {
    characteristics.contains { definition.characteristics[$0].properties.contains(.notify) }
  }
}
