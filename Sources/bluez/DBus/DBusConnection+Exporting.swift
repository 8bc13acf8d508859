internal import EventLoop

extension DBusConnection {
  /// Exports a path whose calls, of any interface, `handler` answers.
  ///
  /// - Precondition: The path is not exported yet.
  package func export(_ path: ObjectPath, _ handler: @escaping MethodHandler) -> Registration {
    insert(path, .handler(handler))
    return Registration { self.exports.remove(path) }
  }

  /// Exports an object, which answers calls by its interfaces and the standard ones.
  ///
  /// - Precondition: The path is not exported yet.
  package func export(_ object: ExportedObject) -> Registration {
    insert(object)
    return Registration { self.exports.remove(object.path) }
  }

  func insert(_ object: ExportedObject) { insert(object.path, .object(object)) }

  private func insert(_ path: ObjectPath, _ target: ExportTable.Target) {
    let isFree = exports.insert(path, target)
    precondition(isFree, "\(path) is exported already")
  }

  /// Answers a call to a path without an object: it can still list the objects below it.
  func answerWithoutObject(_ call: consuming MethodCall) {
    let path = call.path
    let children = exports.children(of: path)
    if !children.isEmpty, call.isMember("Introspect"), call.mayMeanInterface(StandardInterface.introspectable)
    {
      call.reply([.string(introspection(of: [], children: children))])
    } else {
      call.fail(name: ErrorName.unknownObject, message: "no object at \(path)")
    }
  }
}
