import Bluetooth
import DBus
import EventLoop
import Peripheral

extension BlueZClient {
  /// A change in BlueZ.
  enum Change {
    /// Another bluetoothd owns the name; nil: none.
    case owner(BusOwner?)
    case connection(DeviceAddress, isConnected: Bool)
    /// An adapter was added, removed, or switched on or off.
    case adapters
  }

  struct Watches: ~Copyable {
    fileprivate var owner: Registration?
    fileprivate var properties: Registration?
    fileprivate var objects: Registration?
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
        if let change = Self.change(in: signal) { handler(change) }
      }
      watches.objects = try connection.subscribe(
        to: MatchRule(sender: BlueZ.service, interface: BlueZ.objectManager)
      ) { signal in
        if let change = Self.changeOfObjects(signal, below: adapter) { handler(change) }
      }
    } catch {
      throw .noBlueZ(error)
    }
  }

  func stopWatching() {
    watched = nil
    watches = Watches()
  }
}

// MARK: Reading signals

extension BlueZClient {
  /// `Connected` of a device or `Powered` of the adapter.
  private static func change(in signal: borrowing DBusMessage) -> Change? {
    guard let arguments = try? signal.arguments(), arguments.count >= 2, let path = signal.path?.string,
      let properties = arguments[1].dictionary
    else { return nil }
    switch arguments[0].string {
    case BlueZ.adapter: return properties["Powered"] == nil ? nil : .adapters
    case BlueZ.device: return connection(path, properties)
    default: return nil
    }
  }

  /// A change of the objects that bluetoothd has.
  private static func changeOfObjects(
    _ signal: borrowing DBusMessage, below adapter: ObjectPath
  ) -> Change? {
    switch signal.member {
    case "InterfacesAdded": addition(in: signal, below: adapter)
    case "InterfacesRemoved": isRemovalOfAdapter(signal) ? .adapters : nil
    default: nil
    }
  }

  /// A new device that is connected, or a new adapter.
  private static func addition(in signal: borrowing DBusMessage, below adapter: ObjectPath) -> Change? {
    guard let arguments = try? signal.arguments(), arguments.count == 2, let path = arguments[0].objectPath
    else { return nil }
    let interfaces = arguments[1].dictionary ?? [:]
    if let device = interfaces[BlueZ.device]?.dictionary {
      return path.isBelow(adapter) ? connection(path.string, device) : nil
    }
    let isAdapter = interfaces[BlueZ.advertisingManager] != nil || interfaces[BlueZ.adapter] != nil
    return isAdapter ? .adapters : nil
  }

  private static func isRemovalOfAdapter(_ signal: borrowing DBusMessage) -> Bool {
    guard let arguments = try? signal.arguments(), arguments.count == 2 else { return false }
    return arguments[1].strings?.contains(BlueZ.adapter) == true
  }

  private static func connection(_ path: String, _ properties: [String: DBusValue]) -> Change? {
    guard let isConnected = properties["Connected"]?.bool, let address = DeviceAddress(devicePath: path)
    else { return nil }
    return .connection(address, isConnected: isConnected)
  }
}
