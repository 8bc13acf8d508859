import BlueZLimits
import Bluetooth
import DBus
import Peripheral

/// What an error of BlueZ's D-Bus interface means.
extension AdapterFinding {
  /// Of a call that failed before any call to an adapter.
  static func ofBlueZ(_ error: DBusError) -> AdapterFinding {
    if error.isAccessDenied { return .bluetoothdDeniesAccess(reason: error.message) }
    return error.isServiceUnknown ? .noBluetoothd : .bluetoothdIsSilent(reason: error.message)
  }

  static func ofPowering(_ adapter: Adapter, _ error: DBusError) -> AdapterFinding {
    switch error.name {
    case _ where error.isAccessDenied: ofBlueZ(error)
    case BlueZErrorName.blocked: .blockedByRFKill(adapter.name)
    case BlueZErrorName.busy, BlueZErrorName.inProgress: .busy(adapter.name)
    default: .cannotSwitchOn(adapter.name, .bluez, reason: error.message)
    }
  }

  static func ofNaming(_ adapter: Adapter, _ error: DBusError) -> AdapterFinding {
    error.isAccessDenied ? ofBlueZ(error) : .cannotSetName(adapter.name, reason: error.message)
  }

  static func ofServices(_ error: DBusError) -> AdapterFinding {
    error.isAccessDenied ? ofBlueZ(error) : .servicesRefused(reason: error.message)
  }

  static func ofAdvertising(_ adapter: Adapter, _ error: DBusError) -> AdapterFinding {
    switch error.name {
    case _ where error.isAccessDenied: ofBlueZ(error)
    case BlueZErrorName.notPermitted: .noAdvertisingInstance(adapter.name, used: adapter.advertisements)
    case BlueZErrorName.invalidLength: .advertisementTooLong
    default: .advertisementRefused(adapter.name, reason: error.message)
    }
  }
}

extension TransportError {
  static let bluetoothdStopped = TransportError(.bluetoothdStopped)
  static let bluetoothdIsSilent = TransportError(.bluetoothdIsSilent(reason: nil))
  static let leftEarly = TransportError(.leftEarly)
}
