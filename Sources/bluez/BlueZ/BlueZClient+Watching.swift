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
    /// Whether bluetoothd has paired a device, or keeps the keys of that.
    case pairing(DeviceAddress, isPaired: Bool)
    case bond(DeviceAddress, isBonded: Bool)
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
    guard let arguments = try? signal.arguments(), arguments.count >= 2, let path = signal.path?.string,
      let properties = arguments[1].dictionary
    else { return [] }
    switch arguments[0].string {
    case BlueZ.adapter: return properties["Powered"] == nil ? [] : [.adapters]
    case BlueZ.device: return changes(of: path, properties)
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
    guard let arguments = try? signal.arguments(), arguments.count == 2, let path = arguments[0].objectPath
    else { return [] }
    let interfaces = arguments[1].dictionary ?? [:]
    if let device = interfaces[BlueZ.device]?.dictionary {
      return path.isBelow(adapter) ? changes(of: path.string, device) : []
    }
    let isAdapter = interfaces[BlueZ.advertisingManager] != nil || interfaces[BlueZ.adapter] != nil
    return isAdapter ? [.adapters] : []
  }

  private static func isRemovalOfAdapter(_ signal: borrowing DBusMessage) -> Bool {
    guard let arguments = try? signal.arguments(), arguments.count == 2 else { return false }
    return arguments[1].strings?.contains(BlueZ.adapter) == true
  }

  /// One signal may report several changes of a device. It connects before all other changes, and disconnects after them.
  private static func changes(of path: String, _ properties: [String: DBusValue]) -> [Change] {
    guard let address = DeviceAddress(devicePath: path) else { return [] }
    let isConnected = properties["Connected"]?.bool
    var changes: [Change] = isConnected == true ? [.connection(address, isConnected: true)] : []
    if let isPaired = properties["Paired"]?.bool { changes.append(.pairing(address, isPaired: isPaired)) }
    if let isBonded = properties["Bonded"]?.bool { changes.append(.bond(address, isBonded: isBonded)) }
    if isConnected == false { changes.append(.connection(address, isConnected: false)) }
    return changes
  }
}
