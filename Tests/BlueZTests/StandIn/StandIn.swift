import BusSupport
import DBus
import EventLoop

@testable import BlueZ

/// Stands in for bluetoothd on a private bus: it answers when the test asks for it, and records the calls in a story.
///
/// Each one is a connection of its own, as each bluetoothd is. Its lines in the story begin with its name.
@EventLoop
final class StandIn {
  /// The adapter's.
  private var path: ObjectPath = "/org/bluez/hci0"
  /// Without an adapter there are no objects.
  var hasAdapter = true
  /// Whether the adapter has its managers, which bluetoothd adds after it.
  var hasManagers = true
  private var isPowered = true
  private var alias = "stand-in"
  /// Whether the one central that there is, is connected.
  private var isConnected = false
  /// Whether its controller has extended advertising.
  var hasExtendedAdvertising = false
  /// Whether the central stays connected in spite of Disconnect.
  var keepsLinks = false
  /// Held back: the calls of these members are answered by ``answer(_:)``.
  var held: Set<String> = []
  /// The errors of BlueZ's that the next calls of a member are answered with; empty: success.
  var refusals: [String: [String]] = [:]
  private var waiting: [(member: String, call: DeferredCall)] = []
  /// The name of the program that has registered an agent.
  private var agent = ""
  private let name: String
  private let story: Story
  private let connection: DBusConnection
  private var exports = Exports()

  private struct Exports: ~Copyable {
    var root: Registration?
    var adapter: Registration?
    var agents: Registration?
    var device: Registration?
  }

  private init(_ name: String, _ story: Story, _ connection: DBusConnection) {
    self.name = name
    self.story = story
    self.connection = connection
  }

  /// A bluetoothd that has taken the name on the bus.
  static func start(
    _ name: String, on bus: PrivateBus, _ story: Story, holding held: Set<String> = []
  ) async throws -> StandIn {
    let standIn = StandIn(name, story, try await bus.connect())
    standIn.held = held
    standIn.export()
    try await standIn.takeName()
    return standIn
  }

  /// Is bluetoothd, at once also where there is another.
  func takeName() async throws {
    // Allow replacement, replace the owner, do not queue.
    _ = try await connection.callBus("RequestName", [.string(BlueZ.service), .uint32(1 | 2 | 4)])
  }

  /// Releases the name of bluetoothd on the bus; pending calls may still be answered.
  func stop() async throws { _ = try await connection.callBus("ReleaseName", [.string(BlueZ.service)]) }

  /// Returns when the bus has passed on all that this one has sent.
  func flush() async throws { _ = try await connection.callBus("GetId") }

  /// Is gone, without an answer to the calls that wait.
  func close() { connection.close() }
}

// MARK: What a test lets happen

extension StandIn {
  /// Answers the call that was held back; with one of BlueZ's errors, if that is not empty.
  func answer(_ error: String = "") {
    let (member, call) = waiting.removeFirst()
    answer(call, member, error)
  }

  func setPowered(_ isPowered: Bool) throws {
    self.isPowered = isPowered
    try connection.emitPropertiesChanged(
      path: path, interface: BlueZ.adapter, [("Powered", .bool(isPowered))])
  }

  func setConnected(_ isConnected: Bool, tells: Bool = true) throws {
    self.isConnected = isConnected
    guard tells else { return }
    try connection.emitPropertiesChanged(
      path: device, interface: BlueZ.device, [("Connected", .bool(isConnected))])
  }

  /// Reports what has changed of the central.
  func report(_ property: String, _ value: DBusValue) throws {
    try connection.emitPropertiesChanged(path: device, interface: BlueZ.device, [(property, value)])
  }

  /// Asks the agent whether the central, which shows a number, may pair.
  func askAgent(toCompare passkey: UInt32) async throws {
    _ = try await connection.call(
      destination: agent, path: "/blemu/agent", interface: "org.bluez.Agent1", member: "RequestConfirmation",
      [.objectPath(device), .uint32(passkey)])
  }

  func unplug() throws {
    hasAdapter = false
    try connection.emitSignal(
      path: "/", interface: BlueZ.objectManager, member: "InterfacesRemoved",
      [.objectPath(path), .strings([BlueZ.adapter, BlueZ.gattManager, BlueZ.advertisingManager])])
  }

  func plugIn(as path: ObjectPath = "/org/bluez/hci0") throws {
    self.path = path
    exportAdapter()
    hasAdapter = true
    try connection.emitSignal(
      path: "/", interface: BlueZ.objectManager, member: "InterfacesAdded",
      [.objectPath(path), interfaces])
  }
}

// MARK: Objects

extension StandIn {
  private func export() {
    let objects = DBusMethod("GetManagedObjects", returns: "a{oa{sa{sv}}}") { [weak self] call in
      self?.take(call)
    }
    exports.root = connection.export(
      ExportedObject(path: "/", interfaces: [DBusInterface(BlueZ.objectManager, methods: [objects])]))
    exports.agents = connection.export(
      ExportedObject(
        path: .bluetoothd,
        interfaces: [
          DBusInterface(
            "org.bluez.AgentManager1",
            methods: ["RegisterAgent", "RequestDefaultAgent", "UnregisterAgent"].map { method($0) })
        ]))
    exportAdapter()
  }

  private func exportAdapter() {
    exports.adapter = nil
    exports.device = nil
    exports.device = connection.export(
      ExportedObject(
        path: device, interfaces: [DBusInterface(BlueZ.device, methods: [method("Disconnect")])]))
    exports.adapter = connection.export(
      ExportedObject(
        path: path,
        interfaces: [
          DBusInterface(BlueZ.properties, methods: [method("Set")]),
          DBusInterface(BlueZ.adapter, methods: [method("RemoveDevice")]),
          DBusInterface(
            BlueZ.gattManager, methods: [method("RegisterApplication"), method("UnregisterApplication")]),
          DBusInterface(
            BlueZ.advertisingManager,
            methods: [method("RegisterAdvertisement"), method("UnregisterAdvertisement")]),
        ]))
  }

  private func method(_ member: String) -> DBusMethod {
    DBusMethod(member) { [weak self] call in self?.take(call) }
  }

  private var objects: DBusValue {
    guard hasAdapter else { return .array(of: "{oa{sa{sv}}}", []) }
    let central = DBusValue.array(
      of: "{sa{sv}}",
      [.dictEntry(key: .string(BlueZ.device), value: ["Connected": .bool(isConnected)])])
    return .array(
      of: "{oa{sa{sv}}}",
      [
        .dictEntry(key: .objectPath(path), value: interfaces),
        .dictEntry(key: .objectPath(device), value: central),
      ])
  }

  private var device: ObjectPath { path.appending("dev_02_00_00_00_00_02") }

  private var interfaces: DBusValue {
    .array(
      of: "{sa{sv}}",
      [
        .dictEntry(
          key: .string(BlueZ.adapter),
          value: [
            "Address": "02:00:00:00:00:01", "Name": "stand-in", "Alias": .string(alias),
            "Powered": .bool(isPowered),
          ])
      ] + (hasManagers ? managers : []))
  }

  private var managers: [DBusValue] {
    [
      .dictEntry(key: .string(BlueZ.gattManager), value: [:]),
      .dictEntry(
        key: .string(BlueZ.advertisingManager),
        value: [
          "ActiveInstances": .byte(0), "SupportedInstances": .byte(5),
          "SupportedSecondaryChannels": .strings(hasExtendedAdvertising ? ["1M", "2M"] : []),
        ]),
    ]
  }
}

// MARK: Calls

extension StandIn {
  /// Reads the call, makes the same calls back as bluetoothd, records it, and answers it or holds the answer.
  private func take(_ call: consuming MethodCall) {
    let member = call.member
    let caller = call.sender ?? ""
    var reader = call.reader()
    var arguments: [DBusValue] = []
    while !reader.isAtEnd, let value = try? reader.value() { arguments.append(value) }
    let deferred = DeferredCall(call)
    if member == "GetManagedObjects" { return finish(deferred, member) }
    Task { @EventLoop in
      let subject = await subject(of: member, arguments, from: caller)
      story.add(([name, member] + subject).joined(separator: " "))
      finish(deferred, member)
    }
  }

  /// What a call is about: bluetoothd reads it from the caller's objects before it answers.
  private func subject(of member: String, _ arguments: [DBusValue], from caller: String) async -> [String] {
    switch member {
    case "Set": return [set(arguments)]
    case "Disconnect":
      if !keepsLinks { try? setConnected(false) }
      return []
    case "RegisterAgent":
      agent = caller
      return [arguments.last?.string ?? ""]
    case "RegisterApplication": return await services(at: arguments.first?.objectPath ?? "/", caller)
    case "RegisterAdvertisement": return await advertisedName(at: arguments.first?.objectPath ?? "/", caller)
    default: return []
    }
  }

  private func set(_ arguments: [DBusValue]) -> String {
    switch arguments[1].string {
    case "Alias":
      alias = arguments[2].string.map { $0.isEmpty ? "stand-in" : $0 } ?? ""
      return alias
    case "Powered":
      isPowered = arguments[2].bool ?? false
      return isPowered ? "on" : "off"
    case "Pairable": return arguments[2].bool == true ? "pairable" : "not pairable"
    case "PairableTimeout": return "timeout \(arguments[2].int ?? -1)"
    default: return "?"
    }
  }

  private func services(at root: ObjectPath, _ caller: String) async -> [String] {
    let reply = try? await connection.call(
      destination: caller, path: root, interface: BlueZ.objectManager, member: "GetManagedObjects")
    let objects = reply?.first?.dictionary ?? [:]
    return objects.values.compactMap {
      $0.dictionary?[BlueZ.characteristic]?.dictionary?["UUID"]?.string.map {
        String($0.dropFirst(4).prefix(4)).uppercased()
      }
    }.sorted()
  }

  private func advertisedName(at path: ObjectPath, _ caller: String) async -> [String] {
    let reply = try? await connection.call(
      destination: caller, path: path, interface: BlueZ.properties, member: "GetAll",
      [.string(BlueZ.advertisement)])
    return [reply?.first?.dictionary?["LocalName"]?.string ?? "nothing"]
  }

  private func finish(_ call: DeferredCall, _ member: String) {
    if held.contains(member) { return waiting.append((member, call)) }
    answer(call, member, refusals[member]?.popFirst() ?? "")
  }

  private func answer(_ call: DeferredCall, _ member: String, _ error: String) {
    if !error.isEmpty {
      call.take()?.fail(name: "org.bluez.Error.\(error)", message: error)
    } else if member == "GetManagedObjects" {
      call.take()?.reply([objects])
    } else {
      call.take()?.reply()
    }
  }
}

extension [String] {
  fileprivate mutating func popFirst() -> String? { isEmpty ? nil : removeFirst() }
}
