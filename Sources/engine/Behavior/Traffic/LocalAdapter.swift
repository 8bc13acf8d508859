import Bluetooth

/// The adapter of a device.
package struct LocalAdapter: Hashable, Sendable {
  /// As in `hci0`.
  package var name: String
  package var address: DeviceAddress
  /// The Bluetooth stack, as in `BlueZ 5.66`.
  package var stack: String
  /// Whether it has a radio, and settings that the device may change for a time.
  package var isReal: Bool

  package init(name: String, address: DeviceAddress, stack: String, isReal: Bool = true) {
    (self.name, self.address) = (name, address)
    (self.stack, self.isReal) = (stack, isReal)
  }
}
