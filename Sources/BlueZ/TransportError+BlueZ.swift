import BlueZLimits
import Bluetooth
import DBus
import Peripheral

/// The sentences for what can be in the way of a device on BlueZ.
extension TransportError {
  static func noBus(_ error: DBusError) -> TransportError {
    TransportError(
      .unavailable, "there is no D-Bus system bus: \(error.message)",
      hint: "start it (sudo systemctl start dbus), or use the virtual machine: tools/vm")
  }

  /// A call to BlueZ that failed before anything was asked of an adapter.
  static func noBlueZ(_ error: DBusError) -> TransportError {
    if error.isAccessDenied {
      return TransportError(
        .noPermission, "the system bus does not let you talk to bluetoothd: \(error.message)",
        hint:
          "run it with sudo, or join the group 'bluetooth' (sudo adduser $USER bluetooth) and log in again")
    }
    if error.isServiceUnknown {
      return TransportError(
        .unavailable, "bluetoothd is not running",
        hint: "start it (sudo systemctl start bluetooth); if it is missing: sudo apt-get install bluez")
    }
    return TransportError(
      .unavailable, "bluetoothd does not answer: \(error.message)",
      hint: "look at its log (journalctl -u bluetooth), or restart it (sudo systemctl restart bluetooth)")
  }

  static let bluetoothdStopped = TransportError(
    .unavailable, "bluetoothd has stopped",
    hint: "look at its log (journalctl -u bluetooth), and start it (sudo systemctl start bluetooth)")

  static let leftEarly = TransportError(
    .unavailable, "the device was taken off the air before it was there", hint: "start it again")

  static let noAdapter = TransportError(
    .unavailable, "this machine has no Bluetooth adapter",
    hint: "plug one in, or use virtual ones: tools/vm")

  static func noSuchAdapter(_ choice: String, there: [Adapter]) -> TransportError {
    TransportError(
      .unavailable, "there is no adapter \(choice)",
      hint: "there is \(there.map { "\($0.name) (\($0.address))" }.joined(separator: ", "))")
  }

  static func notAPeripheral(_ adapters: [Adapter]) -> TransportError {
    let names = adapters.map(\.name).joined(separator: ", ")
    return TransportError(
      .unavailable, "\(names) cannot be a peripheral: BlueZ offers no LE advertising there",
      hint: "it needs a Bluetooth 4.0 controller; choose another with --on bluez:hciN")
  }

  static func inUse(_ adapter: Adapter) -> TransportError {
    TransportError(
      .unavailable, "another blemu is using \(adapter.name)",
      hint: "stop it, or choose another adapter with --on bluez:hciN")
  }

  static func cannotPower(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    if error.name == BlueZErrorName.blocked {
      return TransportError(
        .unavailable, "\(adapter.name) is blocked by a switch",
        hint: "unblock it: sudo rfkill unblock bluetooth")
    }
    if error.name == BlueZErrorName.busy || error.name == BlueZErrorName.inProgress {
      return TransportError(
        .unavailable, "\(adapter.name) is busy: it could not be switched on",
        hint: "try again in a few seconds")
    }
    return TransportError(
      .unavailable, "\(adapter.name) could not be switched on: \(error.message)",
      hint: "is it blocked (sudo rfkill unblock bluetooth), or in use by another program?")
  }

  static func cannotSetAlias(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    return TransportError(
      .unavailable, "the name of \(adapter.name) could not be set: \(error.message)",
      hint: "look at bluetoothd's log (journalctl -u bluetooth)")
  }

  static func applicationRefused(_ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    return TransportError(
      .unavailable, "BlueZ did not take the services: \(error.message)",
      hint: "look at bluetoothd's log (journalctl -u bluetooth)")
  }

  static func advertisementRefused(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    if error.name == BlueZErrorName.notPermitted {
      return TransportError(
        .unavailable,
        "\(adapter.name) is full: it advertises \(adapter.advertisements) things and can no more",
        hint: "stop another program that advertises, or choose another adapter with --on bluez:hciN")
    }
    if error.name == BlueZErrorName.invalidLength {
      return TransportError(
        .invalid, "BlueZ finds the advertisement too long", hint: "shorten it: blemu show")
    }
    return TransportError(
      .unavailable, "BlueZ did not take the advertisement: \(error.message)",
      hint: "is \(adapter.name) switched on and not in use? see bluetoothd's log (journalctl -u bluetooth)")
  }
}
