import Bluetooth

/// The Reports of a HID Service. There may be several, because each has a Report Reference that identifies it.
enum HIDReports {
  static let uuid: BluetoothUUID = 0x2A4D
  private static let reference: BluetoothUUID = 0x2908

  /// Whether each Report has its Report Reference.
  ///
  /// - Parameter characteristics: those of a service, with the UUIDs of their descriptors.
  static func areReferenced(
    in characteristics: [(uuid: BluetoothUUID?, descriptors: [BluetoothUUID?])]
  ) -> Bool {
    characteristics.allSatisfy { $0.uuid != uuid || $0.descriptors.contains(reference) }
  }
}
