import DBus

/// Names of BlueZ's D-Bus API (bluez: doc/*-api.txt, doc/org.bluez.*.rst).
enum BlueZ {
  static let service = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let gattManager = "org.bluez.GattManager1"
  static let advertisingManager = "org.bluez.LEAdvertisingManager1"
  static let gattService = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let descriptor = "org.bluez.GattDescriptor1"
  static let advertisement = "org.bluez.LEAdvertisement1"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let peer = "org.freedesktop.DBus.Peer"

  /// The path of our own objects on our connection.
  static let applicationRoot: ObjectPath = "/blemu"
  static let advertisementPath: ObjectPath = "/blemu/advertisement"
}
