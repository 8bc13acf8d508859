package import EventLoop

/// Objects below a root, which implements `org.freedesktop.DBus.ObjectManager` for all of them.
@EventLoop
package final class ObjectTree {
  package let root: ObjectPath
  package let objects: [ExportedObject]

  /// - Precondition: Each object is below the root and has its own path.
  package nonisolated init(root: ObjectPath, objects: [ExportedObject]) {
    precondition(objects.allSatisfy { $0.path.isBelow(root) }, "an object is not below \(root)")
    self.root = root
    self.objects = objects
  }

  /// The answer to GetManagedObjects, `a{oa{sa{sv}}}`.
  package func managedObjects() -> DBusValue {
    .array(
      of: "{oa{sa{sv}}}",
      objects.map { .dictEntry(key: .objectPath($0.path), value: $0.allProperties()) })
  }

  private func manager() -> ExportedObject {
    let getManagedObjects = DBusMethod("GetManagedObjects", returns: "a{oa{sa{sv}}}") { call in
      call.reply([self.managedObjects()])
    }
    return ExportedObject(
      path: root,
      interfaces: [DBusInterface(StandardInterface.objectManager, methods: [getManagedObjects])])
  }

  fileprivate var allObjects: [ExportedObject] { [manager()] + objects }
}

extension DBusConnection {
  /// Exports the root and all objects of the tree.
  ///
  /// - Precondition: None of the paths is exported yet.
  package func export(_ tree: ObjectTree) -> Registration {
    let objects = tree.allObjects
    for object in objects { insert(object) }
    return Registration {
      for object in objects { self.exports.remove(object.path) }
    }
  }
}
