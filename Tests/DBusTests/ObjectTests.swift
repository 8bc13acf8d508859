import DBus
import EventLoop
import TestSupport
import Testing

@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct ObjectTests {
  private let properties = "org.freedesktop.DBus.Properties"

  private func makeTree() -> ObjectTree {
    let counter = Counter()
    let characteristic = DBusInterface(
      "test.Characteristic",
      properties: [
        DBusProperty("UUID", "FFE1"), DBusProperty("Count") { .uint32(counter.next()) },
      ],
      methods: [DBusMethod("ReadValue", "a{sv}", returns: "ay") { $0.reply([1, 2, 3]) }])
    let service = DBusInterface("test.Service", properties: [DBusProperty("UUID", "FFE0")])
    return ObjectTree(
      root: "/app",
      objects: [
        ExportedObject(path: "/app/service0", interfaces: [service]),
        ExportedObject(path: "/app/service0/char0", interfaces: [characteristic]),
      ])
  }

  @Test func `properties can be read and not set`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export(makeTree())
    func properties(_ member: String, _ arguments: [DBusValue]) async throws(DBusError) -> [DBusValue] {
      try await pair.call(member, arguments, path: "/app/service0/char0", interface: self.properties)
    }
    #expect(try await properties("Get", ["test.Characteristic", "UUID"]) == [.variant("FFE1")])
    #expect(try await properties("Get", ["test.Characteristic", "Count"]) == [.variant(.uint32(1))])
    #expect(
      try await properties("GetAll", ["test.Characteristic"]) == [["UUID": "FFE1", "Count": .uint32(2)]])
    let failures: [(String, [DBusValue], String)] = [
      ("Set", ["test.Characteristic", "UUID", .variant("FFE2")], ErrorName.propertyReadOnly),
      ("Set", ["test.Characteristic", "Name", .variant("x")], ErrorName.unknownProperty),
      ("Get", ["test.Characteristic", "Name"], ErrorName.unknownProperty),
      ("Get", ["test.Service", "UUID"], ErrorName.unknownInterface),
      ("GetAll", ["test.Nothing"], ErrorName.unknownInterface),
      ("GetAll", [.byte(1)], ErrorName.invalidArguments),
      ("Forget", [], ErrorName.unknownMethod),
    ]
    for (member, arguments, name) in failures {
      let failure = await error { () async throws(DBusError) in _ = try await properties(member, arguments) }
      #expect(failure?.name == name, "\(member) \(arguments)")
    }
    _ = consume registration
  }

  @Test func `GetManagedObjects shows every object below the root`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export(makeTree())
    let reply = try await pair.call(
      "GetManagedObjects", path: "/app", interface: "org.freedesktop.DBus.ObjectManager")
    let objects = try #require(reply.first?.dictionary)
    #expect(reply[0].signature == "a{oa{sa{sv}}}")
    #expect(objects.keys.sorted() == ["/app/service0", "/app/service0/char0"])
    #expect(objects["/app/service0"]?.dictionary?["test.Service"]?.dictionary?["UUID"]?.string == "FFE0")
    _ = consume registration
    let gone = await error { () async throws(DBusError) in
      _ = try await pair.call(
        "GetManagedObjects", path: "/app", interface: "org.freedesktop.DBus.ObjectManager")
    }
    #expect(gone?.name == ErrorName.unknownObject)
  }

  @Test func `methods are found by interface and name`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export(makeTree())
    let path: ObjectPath = "/app/service0/char0"
    #expect(
      try await pair.call("ReadValue", [[:]], path: path, interface: "test.Characteristic") == [
        .bytes([1, 2, 3])
      ])
    for (interface, name) in [
      ("test.Characteristic", ErrorName.unknownMethod), ("test.Nothing", ErrorName.unknownInterface),
    ] {
      let failure = await error { () async throws(DBusError) in
        _ = try await pair.call("Fly", path: path, interface: interface)
      }
      #expect(failure?.name == name)
    }
    _ = consume registration
  }

  @Test func `an object introspects and answers a ping`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export(makeTree())
    let introspectable = "org.freedesktop.DBus.Introspectable"
    let root = try await pair.call("Introspect", path: "/", interface: introspectable)[0].string
    #expect(root?.contains("<node name=\"app\"/>") == true)
    let path: ObjectPath = "/app/service0/char0"
    let text = try await pair.call("Introspect", path: path, interface: introspectable)[0].string
    #expect(
      text == """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="test.Characteristic">
            <method name="ReadValue">
              <arg type="a{sv}" direction="in"/>
              <arg type="ay" direction="out"/>
            </method>
            <property name="UUID" type="s" access="read"/>
            <property name="Count" type="u" access="read"/>
          </interface>
        </node>

        """)
    #expect(try await pair.call("Ping", path: path, interface: "org.freedesktop.DBus.Peer") == [])
    _ = consume registration
  }

  @Test func `PropertiesChanged carries the new values`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let changes = Arrivals<[DBusValue]>()
    let subscription = try pair.client.subscribe(
      to: MatchRule(interface: properties, member: "PropertiesChanged", firstArgument: "test.Characteristic")
    ) { changes.add((try? $0.arguments()) ?? []) }
    _ = try await pair.client.callBus("GetId")
    try pair.service.emitPropertiesChanged(
      path: "/app", interface: "test.Characteristic", [("Value", .bytes([1]))])
    #expect(
      try await changes.wait() == [["test.Characteristic", ["Value": .bytes([1])], .strings([])]])
    _ = consume subscription
  }
}

@EventLoop
final class Counter {
  private var count: UInt32 = 0
  nonisolated init() {}
  func next() -> UInt32 {
    count += 1
    return count
  }
}
