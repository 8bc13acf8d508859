internal import CDBus

/// Owns one reference to a message of libdbus.
package struct DBusMessage: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over a reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  /// Takes its own reference.
  init(retaining pointer: OpaquePointer) { self.pointer = dbus_message_ref(pointer) }

  deinit { dbus_message_unref(pointer) }
}

extension DBusMessage {
  /// A method call with its arguments.
  ///
  /// - Throws: ``DBusError/invalid(what:value:)`` for a name or an argument that cannot be sent.
  package static func methodCall(
    destination: String, path: ObjectPath, interface: String, member: String,
    arguments: [DBusValue] = []
  ) throws(DBusError) -> DBusMessage {
    try validateBusName(destination)
    try validateInterface(interface)
    try validateMember(member)
    let pointer = dbus_message_new_method_call(destination, path.string, interface, member)
    let message = DBusMessage(adopting: allocated(pointer))
    try message.append(arguments)
    return message
  }

  /// A signal with its arguments, for all subscribers.
  ///
  /// - Throws: ``DBusError/invalid(what:value:)`` for a name or an argument that cannot be sent.
  package static func signal(
    path: ObjectPath, interface: String, member: String, arguments: [DBusValue] = []
  ) throws(DBusError) -> DBusMessage {
    try validateInterface(interface)
    try validateMember(member)
    let message = DBusMessage(adopting: allocated(dbus_message_new_signal(path.string, interface, member)))
    try message.append(arguments)
    return message
  }

  /// The same message, which has not been sent.
  package func copy() -> DBusMessage { DBusMessage(adopting: allocated(dbus_message_copy(pointer))) }

  /// The same reply to another call; nil: that has another caller.
  func copied(forReplyTo call: OpaquePointer) -> DBusMessage? {
    guard dbus_message_has_destination(pointer, dbus_message_get_sender(call)) != 0 else { return nil }
    let reply = copy()
    dbus_message_set_reply_serial(reply.pointer, dbus_message_get_serial(call))
    return reply
  }

  /// Adds arguments at the end.
  package func append(_ values: [DBusValue]) throws(DBusError) {
    for value in values { try value.validateForSending() }
    var writer = MessageWriter(appendingTo: self)
    for value in values { writer.append(value) }
    if writer.hasFailed { throw .invalid(what: "an open file descriptor", value: "") }
  }
}

// MARK: Header and arguments

extension DBusMessage {
  /// The unique name of the sender, which the bus guarantees.
  package var sender: String? { string(dbus_message_get_sender(pointer)) }
  package var path: ObjectPath? { string(dbus_message_get_path(pointer)).map(ObjectPath.init(trusted:)) }
  package var interface: String? { string(dbus_message_get_interface(pointer)) }
  package var member: String? { string(dbus_message_get_member(pointer)) }
  /// The types of the arguments in order.
  package var signature: String { string(dbus_message_get_signature(pointer)) ?? "" }

  /// A reader that is at the first argument.
  package func reader() -> MessageReader { MessageReader(message: pointer) }

  /// All arguments.
  package func arguments() throws(DBusError) -> [DBusValue] {
    var reader = reader()
    var values: [DBusValue] = []
    while !reader.isAtEnd { values.append(try reader.value()) }
    return values
  }

  /// The error, if this message is an error reply.
  var error: DBusError? {
    guard let name = string(dbus_message_get_error_name(pointer)) else { return nil }
    var reader = reader()
    let text = try? reader.string()
    return .remote(name: name, message: text ?? "")
  }

  private func string(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

/// libdbus returns `NULL` for valid arguments only if memory has run out.
func allocated<Object>(_ object: Object?) -> Object {
  guard let object else { fatalError("out of memory for a D-Bus message") }
  return object
}
