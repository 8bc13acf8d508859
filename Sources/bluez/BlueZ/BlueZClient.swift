import Bluetooth
import DBus
import EventLoop
import Peripheral

/// The client of bluetoothd on D-Bus.
@EventLoop
final class BlueZClient {
  let connection: DBusConnection
  var watches = Watches()
  /// The adapter that is watched.
  var watched: ObjectPath?
  /// Lets messages to bluetoothd pass before values.
  private(set) lazy var gate = ValueGate.shared(on: bus).side { [weak self] in
    await self?.catchUp()
  }
  private let bus: String

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
      gate.letMessagesPass()
      let reply = try await connection.ask(
        destination: BlueZ.service, path: "/", interface: BlueZ.objectManager, member: "GetManagedObjects")
      return (reply.sender, Adapter.all(in: reply.arguments.first))
    } catch {
      throw TransportError(.ofBlueZ(error))
    }
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

  /// Disconnects a central; returns whether BlueZ did it.
  func disconnect(_ central: DeviceAddress, from adapter: Adapter) async -> Bool {
    (try? await call(adapter.path(of: central), BlueZ.device, "Disconnect")) != nil
  }

  /// Returns when bluetoothd has handled all earlier messages: it handles them in order.
  func catchUp() async {
    _ = try? await connection.call(
      destination: BlueZ.service, path: "/", interface: BlueZ.peer, member: "Ping", timeout: .seconds(5))
  }
}
