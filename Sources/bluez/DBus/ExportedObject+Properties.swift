internal import EventLoop

/// `org.freedesktop.DBus.Properties`.
extension ExportedObject {
  func answersProperties(_ call: borrowing MethodCall) -> Bool {
    call.isMember("Get") || call.isMember("GetAll") || call.isMember("Set")
  }

  func answerProperties(_ call: consuming MethodCall) {
    do throws(DBusError) {
      var reader = call.reader()
      let interface = try interface(try reader.string())
      guard !call.isMember("GetAll") else {
        return call.reply([properties(of: interface.name)!])
      }
      let property = try interface.property(try reader.string())
      guard call.isMember("Get") else {
        throw .remote(name: ErrorName.propertyReadOnly, message: "\(property.name) cannot be set")
      }
      call.reply([.variant(property.value())])
    } catch {
      call.fail(error)
    }
  }

  private func interface(_ name: String) throws(DBusError) -> DBusInterface {
    guard let interface = interfaces.first(where: { $0.name == name }) else {
      throw .remote(name: ErrorName.unknownInterface, message: "no interface \(name)")
    }
    return interface
  }
}

extension DBusInterface {
  fileprivate func property(_ name: String) throws(DBusError) -> DBusProperty {
    guard let property = properties.first(where: { $0.name == name }) else {
      throw .remote(name: ErrorName.unknownProperty, message: "no property \(self.name).\(name)")
    }
    return property
  }
}

extension DBusConnection {
  /// Emits PropertiesChanged with new values.
  ///
  /// - Throws: ``DBusError/invalid(what:value:)`` for a name or a value that cannot be sent.
  package func emitPropertiesChanged(
    path: ObjectPath, interface: String, _ changed: [(String, DBusValue)]
  ) throws(DBusError) {
    try emitSignal(
      path: path, interface: StandardInterface.properties, member: "PropertiesChanged",
      [.string(interface), .dictionary(changed), .strings([])])
  }
}
