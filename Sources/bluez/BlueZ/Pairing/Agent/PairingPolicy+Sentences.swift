import Bluetooth

// The sentences about keys that only one side has.
extension PairingPolicy {
  package static func encryptionFailed(with central: DeviceAddress, _ error: HCIError) -> String {
    "encrypting the link to \(central) failed: \(error)"
  }

  /// bluetoothd refuses to pair by Just Works with a device whose keys it has (bluez 5.66 to 5.87: `device_confirm_passkey` of
  /// src/device.c).
  ///
  /// - Parameter areRemoved: whether blemu has removed bluetoothd's keys.
  package static func lostKeys(of central: DeviceAddress, areRemoved: Bool) -> String {
    let remedy =
      areRemoved
      ? "blemu has removed bluetoothd's keys: pair again at the central"
      : "remove bluetoothd's keys (bluetoothctl remove \(central)), then pair again at the central"
    return "\(central) has lost the keys of its bond, and bluetoothd refuses to pair it while it has its own "
      + "(JustWorksRepairing in /etc/bluetooth/main.conf); \(remedy)"
  }
}
