internal import CDBus

/// A valid object path: `/`, or names of letters, digits and `_`, each after a `/`.
package struct ObjectPath: Hashable, Sendable {
  package let string: String

  /// `nil` if the string is not an object path.
  package init?(_ string: String) {
    guard isValid(string, dbus_validate_path) else { return nil }
    self.string = string
  }

  /// For paths that come from libdbus, which has validated them.
  init(trusted string: String) { self.string = string }
}

extension ObjectPath {
  /// The path below this one: `"/a".appending("b")` is `/a/b`.
  ///
  /// - Precondition: `component` is one or more names of letters, digits and `_`, with `/` between them.
  package func appending(_ component: String) -> ObjectPath {
    let path = ObjectPath((string == "/" ? "" : string) + "/" + component)
    precondition(path != nil, "'\(component)' cannot be part of an object path")
    return path!
  }

  /// Whether this path lies below `ancestor`, at any depth.
  package func isBelow(_ ancestor: ObjectPath) -> Bool {
    ancestor.string == "/" ? string != "/" : string.hasPrefix(ancestor.string + "/")
  }
}

extension ObjectPath: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    precondition(isValid(value, dbus_validate_path), "'\(value)' is not an object path")
    string = value
  }
}

extension ObjectPath: CustomStringConvertible {
  package var description: String { string }
}
