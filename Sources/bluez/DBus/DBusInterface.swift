internal import CDBus
internal import EventLoop

/// One interface of an exported object: its properties and methods.
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

/// A read-only property.
package struct DBusProperty: Sendable {
  package let name: String
  package let value: @EventLoop @Sendable () -> DBusValue

  /// A property whose value is computed each time it is read; its type must not change.
  package init(_ name: String, value: @escaping @EventLoop @Sendable () -> DBusValue) {
    self.name = name
    self.value = value
  }

  /// A property that never changes.
  package init(_ name: String, _ value: DBusValue) {
    self.init(name) { value }
  }
}

/// A method, its types for introspection, and its handler.
package struct DBusMethod: Sendable {
  package let name: String
  package let arguments: DBusSignature
  package let reply: DBusSignature
  package let handler: MethodHandler

  /// - Parameters:
  ///   - arguments: For introspection only: the handler itself checks what it reads.
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
