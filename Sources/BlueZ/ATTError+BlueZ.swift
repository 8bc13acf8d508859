import Bluetooth

extension ATTError {
  /// The D-Bus error that makes bluetoothd send this code, as far as it can be made to: other codes become
  /// 0x0E, Unlikely Error (bluez: src/gatt-database.c, `dbus_error_to_att_ecode`).
  var dbusError: (name: String, message: String) {
    switch self {
    case _ where isApplicationError: (BlueZErrorName.failed, "0x" + String(rawValue, radix: 16))
    case .readNotPermitted, .writeNotPermitted: (BlueZErrorName.notPermitted, description)
    case .requestNotSupported: (BlueZErrorName.notSupported, description)
    case .insufficientAuthorization: (BlueZErrorName.notAuthorized, description)
    case .invalidOffset: (BlueZErrorName.invalidOffset, description)
    case .invalidAttributeValueLength: (BlueZErrorName.invalidValueLength, description)
    case .procedureAlreadyInProgress: (BlueZErrorName.inProgress, description)
    case .cccdImproperlyConfigured: (BlueZErrorName.improperlyConfigured, description)
    default: (BlueZErrorName.failed, description)
    }
  }
}
