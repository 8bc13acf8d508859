import Behavior
import Bluetooth
import DBus
import EventLoop
import Peripheral

/// The client of bluetoothd on D-Bus.
@EventLoop
final class BlueZClient {
  let connection: DBusConnection
  /// The adapter that is watched.
  private(set) var watched: ObjectPath?
  private var watches = Watches()
  /// Lets messages to bluetoothd pass before values.
  private(set) lazy var gate = ValueGate.shared(on: bus).side { [weak self] in
    if let self { catchUp($0) } else { $0() }
  }
  private let bus: String
  private let ping = try! DBusMessage.methodCall(
    destination: BlueZ.service, path: "/", interface: BlueZ.peer, member: "Ping")

  private struct Watches: ~Copyable {
    var owner: Registration?
    var properties: Registration?
    var objects: Registration?
  }

  private init(_ connection: DBusConnection, on bus: String) {
    self.connection = connection
    self.bus = bus
  }

  /// - Parameter bus: the address of bluetoothd's bus.
  static func connect(
    to bus: String = DBusConnection.systemBusAddress
  ) async throws(TransportError) -> BlueZClient {
    do throws(DBusError) {
      return BlueZClient(try await DBusConnection.connect(to: bus), on: bus)
    } catch {
      throw TransportError(.noBus(reason: error.message))
    }
  }

  func close() { connection.close() }

  /// Whether this client has connected to the bus before another: the bus counts, as in `:1.42`.
  func isOnBusBefore(_ other: BusOwner) -> Bool {
    func number(_ name: BusOwner) -> Int? { name.split(separator: ".").last.flatMap { Int($0) } }
    guard let own = number(connection.uniqueName), let other = number(other) else { return false }
    return own < other
  }

  /// - Parameter bluetoothd: the name to call; a unique name means this bluetoothd and no later one.
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    of bluetoothd: BusOwner = BlueZ.service, timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    gate.letMessagesPass()
    return try await connection.call(
      destination: bluetoothd, path: path, interface: interface, member: member, arguments,
      timeout: timeout)
  }

  func set(
    _ property: String, _ value: DBusValue, _ adapter: Adapter, of bluetoothd: BusOwner = BlueZ.service
  ) async throws(DBusError) {
    _ = try await call(
      adapter.path, BlueZ.properties, "Set",
      [.string(BlueZ.adapter), .string(property), .variant(value)], of: bluetoothd)
  }
}

// MARK: Asking

extension BlueZClient {
  /// The adapters of bluetoothd. D-Bus starts bluetoothd if it is not running and the machine allows it.
  func adapters() async throws(TransportError) -> [Adapter] { try await bluetoothd().adapters }

  /// The present bluetoothd: its unique name and its adapters. D-Bus starts it as for ``adapters()``.
  func bluetoothd() async throws(TransportError) -> (name: BusOwner, adapters: [Adapter]) {
    do throws(DBusError) {
      return try await managedObjects(of: BlueZ.service)
    } catch {
      throw TransportError(.ofBlueZ(error))
    }
  }

  func managedObjects(
    of bluetoothd: BusOwner
  ) async throws(DBusError) -> (name: BusOwner, adapters: [Adapter]) {
    gate.letMessagesPass()
    let reply = try await connection.ask(
      destination: bluetoothd, path: "/", interface: BlueZ.objectManager, member: "GetManagedObjects")
    var reader = reply.reader()
    return (reply.sender, Adapter.all(in: &reader))
  }

  /// Restores the settings; returns whether BlueZ accepted all of them.
  func restore(_ original: AdapterSettings.Original, of adapter: Adapter) async -> Bool {
    do throws(DBusError) {
      try await set("Alias", .string(original.alias), adapter)
      if let pairing = original.pairing { try await set(pairing, adapter) }
      if !original.isPowered { try await set("Powered", false, adapter) }
      return true
    } catch {
      return false
    }
  }

  /// Sets how the adapter pairs.
  ///
  /// bluetoothd sets `Pairable` itself when it gets an agent or loses one, and is busy until the kernel has done it.
  func set(_ pairing: AdapterSettings.Pairing, _ adapter: Adapter) async throws(DBusError) {
    for attempt in 1... {
      do throws(DBusError) {
        try await set("Pairable", .bool(pairing.isAllowed), adapter)
        break
      } catch {
        guard error.mayPass, attempt < 20 else { throw error }
        await EventLoop.pause(.milliseconds(50))
      }
    }
    try await set("PairableTimeout", .uint32(pairing.timeout), adapter)
  }

  /// Whether a central is paired.
  func isPaired(_ central: DeviceAddress, with adapter: Adapter) async -> Bool {
    let reply = try? await call(
      adapter.path(of: central), BlueZ.properties, "Get", [.string(BlueZ.device), "Paired"])
    return reply?.first?.bool == true
  }

  /// Whether a central is paired, and whether bluetoothd also knows it by BR/EDR; nil: bluetoothd does not know it.
  func pairing(
    of central: DeviceAddress, with adapter: Adapter
  ) async -> (isPaired: Bool, hasBasicRate: Bool)? {
    let reply = try? await call(
      adapter.path(of: central), BlueZ.properties, "GetAll", [.string(BlueZ.device)])
    guard let properties = reply?.first?.dictionary else { return nil }
    return (properties["Paired"]?.bool == true, properties["Class"] != nil)
  }

  /// Lets bluetoothd forget a central and its keys.
  func forget(_ central: DeviceAddress, of adapter: Adapter) async {
    _ = try? await call(
      adapter.path, BlueZ.adapter, "RemoveDevice", [.objectPath(adapter.path(of: central))])
  }

  /// Disconnects centrals, all at the same time. That takes BlueZ up to 2.4 s.
  ///
  /// - Parameter onRefusal: called for each that BlueZ does not disconnect.
  func disconnect(
    _ centrals: [Central], from adapter: Adapter,
    onRefusal: @escaping @EventLoop @Sendable (Central) -> Void = { _ in }
  ) async {
    let ends = centrals.map { central in
      EventLoop.start {
        let reply = try? await self.call(adapter.path(of: central), BlueZ.device, "Disconnect")
        if reply == nil { onRefusal(central) }
      }
    }
    for end in ends { await end.value }
  }

  /// Calls `done` when bluetoothd has handled all earlier messages, or after 5 s: it handles them in order.
  func catchUp(_ done: @escaping @EventLoop () -> Void) {
    connection.send(ping.copy(), timeout: .seconds(5)) { _ in done() }
  }

  /// Returns when bluetoothd has handled all earlier messages, or after 5 s.
  func catchUp() async {
    await withCheckedContinuation { continuation in catchUp { continuation.resume() } }
  }
}

// MARK: Watching

extension BlueZClient {
  /// A change in BlueZ.
  enum Change {
    /// Another bluetoothd owns the name; nil: none.
    case owner(BusOwner?)
    case connection(DeviceAddress, isConnected: Bool)
    /// Whether bluetoothd has paired a device, or keeps the keys of that.
    case pairing(DeviceAddress, isPaired: Bool)
    case bond(DeviceAddress, isBonded: Bool)
    /// The device whose object is named after a private address has this identity address.
    case identity(DeviceAddress, LinkAddress)
    /// An adapter was added, removed, or switched on or off.
    case adapters
  }

  /// Reports the changes in BlueZ and below this adapter to `handler`, and stops an earlier watch.
  ///
  /// The first change is the present owner of the name.
  func watch(_ adapter: ObjectPath, _ handler: @escaping @EventLoop (Change) -> Void) throws(TransportError) {
    stopWatching()
    watched = adapter
    do throws(DBusError) {
      watches.owner = try connection.watchName(BlueZ.service) { handler(.owner($0)) }
      watches.properties = try connection.subscribe(
        to: MatchRule(
          sender: BlueZ.service, pathNamespace: adapter, interface: BlueZ.properties,
          member: "PropertiesChanged")
      ) { signal in
        for change in Self.changes(in: signal) { handler(change) }
      }
      watches.objects = try connection.subscribe(
        to: MatchRule(sender: BlueZ.service, interface: BlueZ.objectManager)
      ) { signal in
        for change in Self.changesOfObjects(signal, below: adapter) { handler(change) }
      }
    } catch {
      throw TransportError(.ofBlueZ(error))
    }
  }

  func stopWatching() {
    watched = nil
    watches = Watches()
  }
}

// MARK: Reading signals

extension BlueZClient {
  /// `Powered` of the adapter, or what has changed of a device.
  private static func changes(in signal: borrowing DBusMessage) -> [Change] {
    var reader = signal.reader()
    guard let path = signal.path?.string, let interface = try? reader.string() else { return [] }
    switch interface {
    case BlueZ.adapter:
      var isSwitched = false
      try? reader.entries { key, _ in if key.holds("Powered") { isSwitched = true } }
      return isSwitched ? [.adapters] : []
    case BlueZ.device: return changes(of: path, DeviceProperties(&reader))
    default: return []
    }
  }

  /// Changes of the objects that bluetoothd has.
  private static func changesOfObjects(
    _ signal: borrowing DBusMessage, below adapter: ObjectPath
  ) -> [Change] {
    switch signal.member {
    case "InterfacesAdded": additions(in: signal, below: adapter)
    case "InterfacesRemoved": isRemovalOfAdapter(signal) ? [.adapters] : []
    default: []
    }
  }

  /// A new device that is connected, or a new adapter.
  private static func additions(in signal: borrowing DBusMessage, below adapter: ObjectPath) -> [Change] {
    var reader = signal.reader()
    guard let path = try? reader.objectPath() else { return [] }
    var device: DeviceProperties?
    var isAdapter = false
    try? reader.entries { interface, properties in
      switch String(interface) {
      case BlueZ.device: device = DeviceProperties(&properties)
      case BlueZ.advertisingManager, BlueZ.adapter: isAdapter = true
      default: break
      }
    }
    guard let device else { return isAdapter ? [.adapters] : [] }
    return path.isBelow(adapter) ? changes(of: path.string, device) : []
  }

  private static func isRemovalOfAdapter(_ signal: borrowing DBusMessage) -> Bool {
    guard let arguments = try? signal.arguments(), arguments.count == 2 else { return false }
    return arguments[1].strings?.contains(BlueZ.adapter) == true
  }

  /// One signal may report several changes of a device. It connects before all other changes except its identity, and disconnects
  /// after them.
  private static func changes(of path: String, _ device: DeviceProperties) -> [Change] {
    guard let address = DeviceAddress(devicePath: path) else { return [] }
    var changes: [Change] = []
    if let identity = device.address, identity.address != address {
      changes.append(.identity(address, identity))
    }
    if device.isConnected == true { changes.append(.connection(address, isConnected: true)) }
    if let isPaired = device.isPaired { changes.append(.pairing(address, isPaired: isPaired)) }
    if let isBonded = device.isBonded { changes.append(.bond(address, isBonded: isBonded)) }
    if device.isConnected == false { changes.append(.connection(address, isConnected: false)) }
    return changes
  }
}
