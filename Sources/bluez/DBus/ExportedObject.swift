package import EventLoop

/// An object on the bus with its interfaces. It implements Properties and Introspectable. (libdbus implements
/// Peer.)
@EventLoop
package final class ExportedObject {
  package let path: ObjectPath
  package let interfaces: [DBusInterface]
  private let methods: [(interface: String, method: DBusMethod)]

  package nonisolated init(path: ObjectPath, interfaces: [DBusInterface]) {
    self.path = path
    self.interfaces = interfaces
    methods = interfaces.flatMap { interface in interface.methods.map { (interface.name, $0) } }
  }

  /// All properties of an interface, `a{sv}`; `nil` if the object does not have it.
  package func properties(of interface: String) -> DBusValue? {
    guard let interface = interfaces.first(where: { $0.name == interface }) else { return nil }
    return .dictionary(interface.properties.map { ($0.name, $0.value()) })
  }

  /// All interfaces with all their properties, `a{sa{sv}}`.
  package func allProperties() -> DBusValue {
    .array(
      of: "{sa{sv}}",
      interfaces.map { interface in
        .dictEntry(key: .string(interface.name), value: properties(of: interface.name)!)
      })
  }
}

extension ExportedObject {
  /// Answers a call by the object's interfaces, else by the standard ones, else with an error.
  ///
  /// - Parameter children: The names of the objects directly below, for introspection.
  func answer(_ call: consuming MethodCall, children: () -> [String]) {
    let index = methods.firstIndex {
      call.isMember($0.method.name) && call.mayMeanInterface($0.interface)
    }
    if let index {
      methods[index].method.handler(call)
    } else if call.mayMeanInterface(StandardInterface.properties), answersProperties(call) {
      answerProperties(call)
    } else if call.mayMeanInterface(StandardInterface.introspectable), call.isMember("Introspect") {
      call.reply([.string(introspection(of: interfaces, children: children()))])
    } else {
      failUnknown(call)
    }
  }

  private func failUnknown(_ call: consuming MethodCall) {
    let interface = call.interface ?? ""
    let isKnown =
      interface == "" || interfaces.contains { $0.name == interface }
      || StandardInterface.all.contains(interface)
    if isKnown {
      let name = "\(interface).\(call.member)"
      call.fail(name: ErrorName.unknownMethod, message: "no method \(name)")
    } else {
      call.fail(name: ErrorName.unknownInterface, message: "no interface \(interface)")
    }
  }
}

/// The interfaces of every object.
enum StandardInterface {
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let peer = "org.freedesktop.DBus.Peer"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let all = [properties, introspectable, peer]
}
