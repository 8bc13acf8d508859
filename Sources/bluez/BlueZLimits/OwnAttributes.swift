import Bluetooth
import DeviceModel

/// The attributes that bluetoothd serves itself (bluez: src/gatt-database.c).
enum OwnAttributes {
  /// Generic Access and Generic Attribute: bluetoothd refuses a second one, so it is left out.
  static let services: [BluetoothUUID] = [0x1800, 0x1801]
  /// bluetoothd accepts a second one and places it after its own.
  static let deviceInformation: BluetoothUUID = 0x180A

  static let clientConfiguration: BluetoothUUID = 0x2902
  static let extendedProperties: BluetoothUUID = 0x2900

  static func replacement(of service: BluetoothUUID) -> String {
    "BlueZ serves its own \(service.name ?? "service") (\(service)) instead of this one"
  }
}

extension BlueZLimits {
  /// Takes bluetoothd's own Device Information away, and `Modalias` of the adapter with it.
  package static let noDeviceID = "set 'DeviceID = false' under [General] in /etc/bluetooth/main.conf"
  /// bluez-async, on which btleplug is built, skips an adapter without `Modalias`.
  package static let costOfNoDeviceID = "which hides the adapter from Rust clients (btleplug)"
}
