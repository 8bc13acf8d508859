import BlueZLimits
import Bluetooth
import DBus
import Peripheral

/// The sentences for what can keep a device from going on the air with BlueZ.
extension TransportError {
  static func noBus(_ error: DBusError) -> TransportError {
    TransportError(
      .unavailable, "cannot connect to the D-Bus system bus: \(error.message)",
      hint: "start it (sudo systemctl start dbus), or \(withoutBluetooth)")
  }

  /// A call to BlueZ that failed before any call to an adapter.
  static func noBlueZ(_ error: DBusError) -> TransportError {
    if error.isAccessDenied {
      return TransportError(
        .noPermission, "the system bus refuses access to bluetoothd: \(error.message)",
        hint:
          "run blemu with sudo, or join the group 'bluetooth' (sudo adduser $USER bluetooth) and log in again"
      )
    }
    if error.isServiceUnknown {
      return TransportError(
        .unavailable, "bluetoothd is not running",
        hint:
          "start it (sudo systemctl start bluetooth), install it (sudo apt-get install bluez), or \(withoutBluetooth)"
      )
    }
    return TransportError(
      .unavailable, "bluetoothd does not answer: \(error.message)", hint: noAnswerHint)
  }

  static let noAnswer = TransportError(
    .unavailable, "bluetoothd does not answer", hint: noAnswerHint)

  private static let noAnswerHint =
    "see its log (journalctl -u bluetooth), or restart it (sudo systemctl restart bluetooth)"

  static let bluetoothdStopped = TransportError(
    .unavailable, "bluetoothd has stopped",
    hint: "see its log (journalctl -u bluetooth), and start it (sudo systemctl start bluetooth)")

  static let leftEarly = TransportError(
    .unavailable, "the device was taken off the air before BlueZ had registered it", hint: "start it again")

  static let noAdapter = TransportError(
    .unavailable, "this machine has no Bluetooth adapter",
    hint: "plug one in, or \(withoutBluetooth)")

  static func noSuchAdapter(_ choice: String, there: [Adapter]) -> TransportError {
    TransportError(
      .unavailable, "there is no adapter \(choice)",
      hint: "available: \(there.map { "\($0.name) (\($0.address))" }.joined(separator: ", "))")
  }

  static func notAPeripheral(_ adapters: [Adapter]) -> TransportError {
    let names = adapters.map(\.name).joined(separator: ", ")
    return TransportError(
      .unavailable, "BlueZ cannot advertise on \(names)",
      hint: "use a controller with Bluetooth 4.0 or later; choose another adapter with --on bluez:hciN")
  }

  static func inUse(_ adapter: Adapter) -> TransportError {
    TransportError(
      .unavailable, "another blemu is using \(adapter.name)",
      hint: "stop it, or choose another adapter with --on bluez:hciN")
  }

  static func hasStaticAddress(_ adapter: Adapter) -> TransportError {
    TransportError(
      .unavailable,
      "\(adapter.name) has a static address, at which bluetoothd does not answer centrals",
      hint:
        "stop the run with --on exact that has set it; after one that was killed, start another for a moment: it puts "
        + "the adapter's own address back")
  }

  static func cannotPower(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    if error.name == BlueZErrorName.blocked {
      return TransportError(
        .unavailable, "\(adapter.name) is blocked by rfkill",
        hint: "unblock it: sudo rfkill unblock bluetooth")
    }
    if error.name == BlueZErrorName.busy || error.name == BlueZErrorName.inProgress {
      return TransportError(
        .unavailable, "cannot switch \(adapter.name) on: it is busy",
        hint: "try again in a few seconds")
    }
    return TransportError(
      .unavailable, "cannot switch \(adapter.name) on: \(error.message)",
      hint: "it may be blocked (sudo rfkill unblock bluetooth), or in use by another program")
  }

  static func cannotSetAlias(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    return TransportError(
      .unavailable, "cannot set the name of \(adapter.name): \(error.message)",
      hint: "see bluetoothd's log (journalctl -u bluetooth)")
  }

  static func applicationRefused(_ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    return TransportError(
      .unavailable, "BlueZ refused the services: \(error.message)",
      hint: "see bluetoothd's log (journalctl -u bluetooth)")
  }

  static func advertisementRefused(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    if error.isAccessDenied { return noBlueZ(error) }
    if error.name == BlueZErrorName.notPermitted {
      return TransportError(
        .unavailable,
        "\(adapter.name) has no free advertising instance; in use: \(adapter.advertisements)",
        hint: "stop another program that advertises, or choose another adapter with --on bluez:hciN")
    }
    if error.name == BlueZErrorName.invalidLength {
      return TransportError(
        .invalid, "the advertisement is too long for BlueZ",
        hint: "shorten it; 'blemu show' prints its fields")
    }
    return TransportError(
      .unavailable, "BlueZ refused the advertisement: \(error.message)",
      hint:
        "check that \(adapter.name) is switched on and not in use; see bluetoothd's log (journalctl -u bluetooth)"
    )
  }
}
