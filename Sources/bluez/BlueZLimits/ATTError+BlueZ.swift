import Bluetooth

/// bluetoothd turns the D-Bus error of a reply into an ATT error (bluez: src/gatt-database.c,
/// `dbus_error_to_att_ecode`). ATT errors without a D-Bus name become Unlikely Error (0x0E).
extension ATTError {
  private static let names: [ATTError: String] = [
    .readNotPermitted: BlueZErrorName.notPermitted, .writeNotPermitted: BlueZErrorName.notPermitted,
    .requestNotSupported: BlueZErrorName.notSupported,
    .insufficientAuthorization: BlueZErrorName.notAuthorized,
    .invalidOffset: BlueZErrorName.invalidOffset,
    .invalidAttributeValueLength: BlueZErrorName.invalidValueLength,
    .procedureAlreadyInProgress: BlueZErrorName.inProgress,
    .unlikelyError: BlueZErrorName.failed,
  ]

  /// The D-Bus error for which bluetoothd sends this code; for a code that it cannot send, that of Unlikely Error.
  package var dbusError: (name: String, message: String) {
    isApplicationError
      ? (BlueZErrorName.failed, "0x" + String(rawValue, radix: 16))
      : (Self.names[self] ?? BlueZErrorName.failed, description)
  }

  /// The error that a central gets when a device on BlueZ refuses with this one.
  package func throughBlueZ(onRead isRead: Bool) -> ATTError {
    if isApplicationError { return self }
    switch Self.names[self] {
    case BlueZErrorName.notPermitted: return isRead ? .readNotPermitted : .writeNotPermitted
    case nil: return .unlikelyError
    default: return self
    }
  }

  /// The codes that bluetoothd can send, for messages: `02 or 03, 06, …`.
  static var sentByBlueZ: String {
    let codes = Dictionary(grouping: names.keys, by: { names[$0]! }).values.map { errors in
      errors.map { $0.rawValue.hexadecimal(digits: 2) }.sorted().joined(separator: " or ")
    }
    let own =
      "\(applicationCodes.lowerBound.hexadecimal(digits: 2)) to "
      + applicationCodes.upperBound.hexadecimal(digits: 2)
    return (codes + [own]).sorted().joined(separator: ", ")
  }
}

/// The names of BlueZ's D-Bus errors (bluez: src/error.c).
package enum BlueZErrorName {
  package static let failed = "org.bluez.Error.Failed"
  package static let notPermitted = "org.bluez.Error.NotPermitted"
  package static let notSupported = "org.bluez.Error.NotSupported"
  package static let notAuthorized = "org.bluez.Error.NotAuthorized"
  package static let invalidOffset = "org.bluez.Error.InvalidOffset"
  package static let invalidValueLength = "org.bluez.Error.InvalidValueLength"
  package static let invalidLength = "org.bluez.Error.InvalidLength"
  package static let inProgress = "org.bluez.Error.InProgress"
  package static let busy = "org.bluez.Error.Busy"
  package static let blocked = "org.bluez.Error.Blocked"
}
