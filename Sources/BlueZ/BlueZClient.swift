import Bluetooth
import DBus
import EventLoop
import Peripheral

/// Calls bluetoothd.
@EventLoop
final class BlueZClient {
  let connection: DBusConnection
  var watches = Watches()
  /// The adapter that is watched.
  var watched: ObjectPath?
  /// Is called when something is about to be asked of bluetoothd.
  var onCall: (() -> Void)?

  private init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// - Parameter bus: the address of the bus that bluetoothd is on.
  static func connect(
    to bus: String = DBusConnection.systemBusAddress
  ) async throws(TransportError) -> BlueZClient {
    do throws(DBusError) {
      return BlueZClient(try await DBusConnection.connect(to: bus))
    } catch {
      throw .noBus(error)
    }
  }

  func close() { connection.close() }

  /// - Parameter bluetoothd: whom to call; a name of its own means this bluetoothd and no later one.
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    of bluetoothd: BusOwner = BlueZ.service, timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    onCall?()
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
  /// The adapters that bluetoothd has; one that does not run is started, where the machine is set up so.
  func adapters() async throws(TransportError) -> [Adapter] {
    do throws(DBusError) {
      let reply = try await call("/", BlueZ.objectManager, "GetManagedObjects")
      return Adapter.all(in: reply.first)
    } catch {
      throw .noBlueZ(error)
    }
  }

  /// Which bluetoothd there is now.
  func owner() async throws(TransportError) -> BusOwner {
    do throws(DBusError) {
      let reply = try await connection.callBus("GetNameOwner", [.string(BlueZ.service)])
      guard let owner = reply.first?.string else {
        throw .unexpectedType(expected: "s", found: reply.first?.signature ?? "")
      }
      return owner
    } catch {
      throw .noBlueZ(error)
    }
  }

  /// Whether everything is as it was.
  func restore(_ original: AdapterRecord.Original, of adapter: Adapter) async -> Bool {
    do throws(DBusError) {
      try await set("Alias", .string(original.alias), adapter)
      if !original.isPowered { try await set("Powered", false, adapter) }
      return true
    } catch {
      return false
    }
  }

  /// Ends the connection of a central; whether it could.
  func disconnect(_ central: DeviceAddress, from adapter: Adapter) async -> Bool {
    guard let path = central.devicePath(below: adapter.path) else { return false }
    return (try? await call(path, BlueZ.device, "Disconnect")) != nil
  }

  /// Returns when bluetoothd has taken all that it has been sent: it takes one after the other.
  func catchUp() async {
    _ = try? await connection.call(
      destination: BlueZ.service, path: "/", interface: BlueZ.peer, member: "Ping", timeout: .seconds(5))
  }
}
