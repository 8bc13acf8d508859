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
