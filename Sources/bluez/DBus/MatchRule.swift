internal import CDBus

/// Selects signals: those that match every field that is set.
package struct MatchRule: Sendable {
  /// A unique or a well-known name.
  package var sender: String?
  package var path: ObjectPath?
  /// The path itself or any below it.
  package var pathNamespace: ObjectPath?
  package var interface: String?
  package var member: String?
  /// The first argument, a string.
  package var firstArgument: String?

  package init(
    sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
    interface: String? = nil, member: String? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }
}

extension MatchRule {
  /// The rule in the bus's syntax: `type='signal',member='NameOwnerChanged'`.
  func text() throws(DBusError) -> String {
    if let sender { try validateBusName(sender) }
    if let interface { try validateInterface(interface) }
    if let member { try validateMember(member) }
    if let firstArgument, firstArgument.utf8.contains(0) {
      throw .invalid(what: "a string without NUL", value: firstArgument)
    }
    let keys: [(String, String?)] = [
      ("sender", sender), ("path", path?.string), ("path_namespace", pathNamespace?.string),
      ("interface", interface), ("member", member), ("arg0", firstArgument),
    ]
    return keys.reduce("type='signal'") { text, key in
      key.1.map { "\(text),\(key.0)='\(Self.escape($0))'" } ?? text
    }
  }

  /// Escapes apostrophes: ends the quotation around each, as the specification requires.
  private static func escape(_ value: String) -> String {
    value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
  }

  /// Whether a signal matches all fields except the sender.
  func matchesContent(of signal: borrowing DBusMessage) -> Bool {
    signal.has(interface, dbus_message_has_interface) && signal.has(member, dbus_message_has_member)
      && signal.has(path?.string, dbus_message_has_path) && isInNamespace(signal)
      && hasFirstArgument(signal)
  }

  private func isInNamespace(_ signal: borrowing DBusMessage) -> Bool {
    guard let pathNamespace else { return true }
    guard let path = signal.path else { return false }
    return path == pathNamespace || path.isBelow(pathNamespace)
  }

  private func hasFirstArgument(_ signal: borrowing DBusMessage) -> Bool {
    guard let firstArgument else { return true }
    var reader = signal.reader()
    return (try? reader.string()) == firstArgument
  }
}

extension DBusMessage {
  /// Whether a field of the message has this value; true for nil.
  fileprivate func has(
    _ value: String?, _ comparison: (OpaquePointer?, UnsafePointer<CChar>?) -> dbus_bool_t
  ) -> Bool {
    value == nil || comparison(pointer, value) != 0
  }
}
