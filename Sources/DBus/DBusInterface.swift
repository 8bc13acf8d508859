internal import CDBus
internal import EventLoop

/// One interface of an exported object: what it can be asked and told.
package struct DBusInterface: Sendable {
  package let name: String
  package let properties: [DBusProperty]
  package let methods: [DBusMethod]

  /// - Precondition: `name` is an interface name.
  package init(_ name: String, properties: [DBusProperty] = [], methods: [DBusMethod] = []) {
    precondition(isValid(name, dbus_validate_interface), "'\(name)' is not an interface name")
    self.name = name
    self.properties = properties
    self.methods = methods
  }
}

/// A property that may be read and not set.
package struct DBusProperty: Sendable {
  package let name: String
  package let value: @EventLoop @Sendable () -> DBusValue

  /// A property whose value is computed at each reading; its type must not change.
  package init(_ name: String, value: @escaping @EventLoop @Sendable () -> DBusValue) {
    self.name = name
    self.value = value
  }

  /// A property that never changes.
  package init(_ name: String, _ value: DBusValue) {
    self.init(name) { value }
  }
}

/// A method, its types as introspection shows them, and who answers it.
package struct DBusMethod: Sendable {
  package let name: String
  package let arguments: DBusSignature
  package let reply: DBusSignature
  package let handler: MethodHandler

  /// - Parameters:
  ///   - arguments: Only shown to who introspects: the handler checks what it reads.
  ///   - handler: Answers the call, at once or later.
  package init(
    _ name: String, _ arguments: DBusSignature = "", returns reply: DBusSignature = "",
    handler: @escaping MethodHandler
  ) {
    self.name = name
    self.arguments = arguments
    self.reply = reply
    self.handler = handler
  }
}
