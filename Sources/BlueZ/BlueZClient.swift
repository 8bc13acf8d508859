import Bluetooth
import DBus
import EventLoop
import Peripheral

/// What is asked of bluetoothd, call by call.
@EventLoop
final class BlueZClient {
  /// Something about BlueZ has changed.
  enum Change {
    case connection(DeviceAddress, isConnected: Bool)
    /// bluetoothd is gone.
    case ownerLost
    /// Worth a look.
    case other
  }

  let connection: DBusConnection
  private var watches = Watches()
  private(set) var isWatching = false
  /// Is called when something is about to be asked of bluetoothd.
  var onCall: (() -> Void)?

  private struct Watches: ~Copyable {
    var owner: Registration?
    var properties: Registration?
    var added: Registration?
    var removed: Registration?
  }

  private init(_ connection: DBusConnection) {
    self.connection = connection
  }

  static func connect() async throws(TransportError) -> BlueZClient {
    do throws(DBusError) {
      return BlueZClient(try await DBusConnection.connect())
    } catch {
      throw .noBus(error)
    }
  }

  func close() { connection.close() }

  func adapters() async throws(TransportError) -> [Adapter] {
    do throws(DBusError) {
      let reply = try await call("/", BlueZ.objectManager, "GetManagedObjects")
      return Adapter.all(in: reply.first)
    } catch {
      throw .noBlueZ(error)
    }
  }

  private func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    onCall?()
    return try await connection.call(
      destination: BlueZ.service, path: path, interface: interface, member: member, arguments,
      timeout: timeout)
  }

  private func set(_ property: String, _ value: DBusValue, of adapter: Adapter) async throws(DBusError) {
    _ = try await call(
      adapter.path, BlueZ.properties, "Set", [.string(BlueZ.adapter), .string(property), .variant(value)])
  }
}

// MARK: Asking

extension BlueZClient {
  func power(_ adapter: Adapter) async throws(TransportError) {
    do throws(DBusError) { try await set("Powered", true, of: adapter) } catch {
      throw .cannotPower(adapter, error)
    }
  }

  func setAlias(_ alias: String, of adapter: Adapter) async throws(TransportError) {
    do throws(DBusError) { try await set("Alias", .string(alias), of: adapter) } catch {
      throw .cannotSetAlias(adapter, error)
    }
  }

  /// Whether everything is as it was.
  func restore(_ original: AdapterRecord.Original, of adapter: Adapter) async -> Bool {
    do throws(DBusError) {
      try await set("Alias", .string(original.alias), of: adapter)
      if !original.isPowered { try await set("Powered", false, of: adapter) }
      return true
    } catch {
      return false
    }
  }

  func registerApplication(_ adapter: Adapter) async throws(TransportError) {
    do throws(DBusError) {
      _ = try await call(
        adapter.path, BlueZ.gattManager, "RegisterApplication", [.objectPath(BlueZ.applicationRoot), [:]])
    } catch {
      throw .applicationRefused(error)
    }
  }

  /// Makes BlueZ advertise what is exported.
  ///
  /// bluetoothd answers UnregisterAdvertisement before the kernel has done it. The kernel can then take away the
  /// next one in its place, for which bluetoothd has only `Failed`: so that is tried again.
  func registerAdvertisement(_ adapter: Adapter) async throws(TransportError) {
    for pause in [100, 300, 900, nil] {
      do throws(DBusError) {
        _ = try await call(
          adapter.path, BlueZ.advertisingManager, "RegisterAdvertisement",
          [.objectPath(BlueZ.advertisementPath), [:]])
        return
      } catch {
        guard let pause, error.mayPass else { throw .advertisementRefused(adapter, error) }
        await EventLoop.pause(.milliseconds(pause))
      }
    }
  }

  /// Takes back the advertisement; what is not there any more is as good.
  func unregisterAdvertisement(_ adapter: ObjectPath) async {
    _ = try? await call(
      adapter, BlueZ.advertisingManager, "UnregisterAdvertisement",
      [.objectPath(BlueZ.advertisementPath)], timeout: .seconds(5))
  }

  /// Ends the connection of a central; whether it could.
  func disconnect(_ central: DeviceAddress, from adapter: Adapter) async -> Bool {
    guard let path = central.devicePath(below: adapter.path) else { return false }
    return (try? await call(path, BlueZ.device, "Disconnect", [])) != nil
  }

  /// Takes back the attributes; what is not there any more is as good.
  func unregisterApplication(_ adapter: ObjectPath) async {
    _ = try? await call(
      adapter, BlueZ.gattManager, "UnregisterApplication", [.objectPath(BlueZ.applicationRoot)],
      timeout: .seconds(5))
  }

  /// Returns when bluetoothd has taken all that it has been sent: it takes one after the other.
  func catchUp() async {
    _ = try? await connection.call(
      destination: BlueZ.service, path: "/", interface: BlueZ.peer, member: "Ping", timeout: .seconds(5))
  }

  /// Takes back both.
  func unregister(_ adapter: ObjectPath) async {
    await unregisterAdvertisement(adapter)
    await unregisterApplication(adapter)
  }
}

// MARK: Watching

extension BlueZClient {
  /// Tells `handler` what changes, in BlueZ as a whole and below an adapter.
  func watch(_ adapter: ObjectPath, _ handler: @escaping @EventLoop (Change) -> Void) throws(TransportError) {
    do throws(DBusError) {
      watches.owner = try connection.watchName(BlueZ.service) { handler($0 == nil ? .ownerLost : .other) }
      watches.properties = try connection.subscribe(
        to: MatchRule(
          sender: BlueZ.service, pathNamespace: adapter, interface: BlueZ.properties,
          member: "PropertiesChanged")
      ) { signal in
        if let change = Self.change(in: signal) { handler(change) }
      }
      for (member, isAdded) in [("InterfacesAdded", true), ("InterfacesRemoved", false)] {
        let rule = MatchRule(sender: BlueZ.service, interface: BlueZ.objectManager, member: member)
        let registration = try connection.subscribe(to: rule) { signal in
          if let change = Self.objectChange(in: signal, isAdded: isAdded, below: adapter) { handler(change) }
        }
        if isAdded { watches.added = consume registration } else { watches.removed = consume registration }
      }
      isWatching = true
    } catch {
      throw .noBlueZ(error)
    }
  }

  func stopWatching() {
    isWatching = false
    watches = Watches()
  }

  /// `Connected` of a device or `Powered` of the adapter.
  private static func change(in signal: borrowing DBusMessage) -> Change? {
    guard let arguments = try? signal.arguments(), arguments.count >= 2, let path = signal.path?.string,
      let properties = arguments[1].dictionary
    else { return nil }
    switch arguments[0].string {
    case BlueZ.adapter: return properties["Powered"] == nil ? nil : .other
    case BlueZ.device: return connection(path, properties)
    default: return nil
    }
  }

  /// A device that is new and connected, or an adapter that has come or gone.
  private static func objectChange(
    in signal: borrowing DBusMessage, isAdded: Bool, below adapter: ObjectPath
  ) -> Change? {
    guard let arguments = try? signal.arguments(), arguments.count == 2, let path = arguments[0].objectPath
    else { return nil }
    guard isAdded else {
      return arguments[1].strings?.contains(BlueZ.adapter) == true ? .other : nil
    }
    let interfaces = arguments[1].dictionary ?? [:]
    if let device = interfaces[BlueZ.device]?.dictionary {
      return path.isBelow(adapter) ? connection(path.string, device) : nil
    }
    return interfaces[BlueZ.advertisingManager] == nil && interfaces[BlueZ.adapter] == nil ? nil : .other
  }

  private static func connection(_ path: String, _ properties: [String: DBusValue]) -> Change? {
    guard let isConnected = properties["Connected"]?.bool, let address = DeviceAddress(devicePath: path)
    else {
      return nil
    }
    return .connection(address, isConnected: isConnected)
  }
}

extension DBusError {
  /// Whether the same call may succeed in a moment.
  fileprivate var mayPass: Bool {
    [BlueZErrorName.failed, BlueZErrorName.busy, BlueZErrorName.inProgress].contains(name)
  }
}
