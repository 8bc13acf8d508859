/// An error of the connection or of a call; `name` and `message` are those of a D-Bus error.
package enum DBusError: Error, Equatable, Sendable {
  /// No bus answers at the address; `detail` is libdbus's message.
  case cannotConnect(address: String, detail: String)
  /// The connection has been closed, by the bus or by us.
  case disconnected
  /// The other side sent no reply within the time limit.
  case timedOut(after: Duration)
  /// The task that waited for the reply was cancelled.
  case cancelled
  /// The other side, or the bus, answered with an error.
  case remote(name: String, message: String)
  /// A message has another type than its reader expects; the types are D-Bus signatures.
  case unexpectedType(expected: String, found: String)
  /// A value that the D-Bus specification does not allow.
  case invalid(what: String, value: String)
}

extension DBusError {
  /// The D-Bus error name, for example `org.freedesktop.DBus.Error.NoReply`.
  package var name: String {
    switch self {
    case .cannotConnect: ErrorName.noServer
    case .disconnected: ErrorName.disconnected
    case .timedOut: ErrorName.noReply
    case .cancelled: ErrorName.failed
    case .remote(let name, _): name
    case .unexpectedType, .invalid: ErrorName.invalidArguments
    }
  }

  /// The error as a clause, for a log or an error reply.
  package var message: String {
    switch self {
    case .cannotConnect(let address, let detail): "no bus at \(address): \(detail)"
    case .disconnected: "the connection to the bus is closed"
    case .timedOut(let limit): "no reply within \(limit)"
    case .cancelled: "the call was cancelled"
    case .remote(_, let message): message
    case .unexpectedType(let expected, let found): "expected '\(expected)', found '\(found)'"
    case .invalid(let what, let value): "not \(what): '\(value)'"
    }
  }

  /// The policy of the bus or the service denies this.
  package var isAccessDenied: Bool { name == ErrorName.accessDenied }

  /// The called name has no owner, and the bus cannot start one.
  package var isServiceUnknown: Bool {
    name == ErrorName.serviceUnknown || name == ErrorName.nameHasNoOwner || isFailedStart
  }

  /// The name has no owner, and the bus failed to start one.
  private var isFailedStart: Bool {
    name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || name.hasPrefix("org.freedesktop.systemd1.")
  }
}

extension DBusError: CustomStringConvertible {
  package var description: String { "\(name): \(message)" }
}

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
