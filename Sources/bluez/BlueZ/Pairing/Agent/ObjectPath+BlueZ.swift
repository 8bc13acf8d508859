import Bluetooth
import DBus

extension ObjectPath {
  /// The parent of bluetoothd's objects.
  package static let bluetoothd: ObjectPath = "/org/bluez"

  /// bluetoothd's object of an adapter: `/org/bluez/hci0`.
  package init(adapter: LocalController) { self = Self.bluetoothd.appending(adapter.name) }

  /// bluetoothd's object of a device below that of an adapter: `/org/bluez/hci0/dev_00_AA_01_01_00_01`.
  package init(device: DeviceAddress, below adapter: ObjectPath) {
    self = adapter.appending("dev_" + String(device.description.map { $0 == ":" ? "_" : $0 }))
  }
}

extension DeviceAddress {
  /// The address in the path of bluetoothd's object of a device.
  package init?(devicePath: String) {
    guard let name = devicePath.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    self.init(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
  }
}
