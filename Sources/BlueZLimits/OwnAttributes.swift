import Bluetooth
import DeviceModel

/// Attributes that bluetoothd has of its own (bluez: src/gatt-database.c).
enum OwnAttributes {
  /// Generic Access and Generic Attribute: it refuses others.
  static let services: Set<BluetoothUUID> = [0x1800, 0x1801]
  /// It takes another, which comes after its own.
  static let deviceInformation: BluetoothUUID = 0x180A

  static let clientConfiguration: BluetoothUUID = 0x2902
  static let extendedProperties: BluetoothUUID = 0x2900

  static func refusal(of service: BluetoothUUID) -> String {
    "BlueZ has \(service.name ?? "this service") (\(service)) of its own, and refuses another"
  }
}
