/// The error names of the D-Bus specification that this program sends or recognises.
package enum ErrorName {
  package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
  package static let failed = "org.freedesktop.DBus.Error.Failed"
  package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  package static let noReply = "org.freedesktop.DBus.Error.NoReply"
  package static let noServer = "org.freedesktop.DBus.Error.NoServer"
  package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
  package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
  package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
  package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
}
