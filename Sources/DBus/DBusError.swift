/// What can go wrong between us and the bus; `name` and `message` are what the bus calls it.
package enum DBusError: Error, Equatable, Sendable {
  /// No bus answers at the address; `detail` is libdbus's sentence.
  case cannotConnect(address: String, detail: String)
  /// The connection has been closed, by the bus or by us.
  case disconnected
  /// The other side sent no reply within the time limit.
  case timedOut(after: Duration)
  /// The task that waited for the reply was cancelled.
  case cancelled
  /// The other side, or the bus, answered with an error.
  case remote(name: String, message: String)
  /// A message carries something else than its reader expects; the types are D-Bus signatures.
  case unexpectedType(expected: String, found: String)
  /// A value that cannot be sent, as the D-Bus specification forbids it.
  case invalid(what: String, value: String)
}

extension DBusError {
  /// The D-Bus error name, `org.freedesktop.DBus.Error.NoReply` for instance.
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

  /// What happened, in words for a log or an error reply.
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

  /// The policy of the bus, or the service, does not let us do this.
  package var isAccessDenied: Bool { name == ErrorName.accessDenied }

  /// Nobody owns the name that was called, and the bus cannot start an owner.
  package var isServiceUnknown: Bool {
    name == ErrorName.serviceUnknown || name == ErrorName.nameHasNoOwner || isFailedStart
  }

  /// Nobody owns the name, and the bus could not start who would.
  private var isFailedStart: Bool {
    name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || name.hasPrefix("org.freedesktop.systemd1.")
  }
}

extension DBusError: CustomStringConvertible {
  package var description: String { "\(name): \(message)" }
}
