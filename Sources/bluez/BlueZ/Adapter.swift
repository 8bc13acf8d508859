import Behavior
import BlueZLimits
import Bluetooth
import DBus
import Peripheral

/// The state of an adapter in BlueZ (`org.bluez.Adapter1`) at one moment.
struct Adapter: Hashable, Sendable {
  var path: ObjectPath
  var address: DeviceAddress
  var addressKind = LinkAddress.Kind.public
  var isPowered: Bool
  var alias: String
  /// The default alias.
  var systemName: String
  var modalias: String?
  /// Whether it has both the GATT and the advertising manager.
  var canBePeripheral: Bool
  var advertisements: Int
  var freeAdvertisements: Int
  /// Whether its controller has extended advertising: BlueZ then offers secondary channels.
  var hasExtendedAdvertising = false
  /// Whether centrals may bond, and after how many seconds bluetoothd ends that; 0: never.
  var isPairable = false
  var pairableTimeout: UInt32 = 0
  /// The connected devices.
  var connected: [ObjectPath] = []
  /// The identity addresses of devices whose objects are named after private addresses.
  var identities: [DeviceAddress: LinkAddress] = [:]

  /// Whether bluetoothd serves Device Information (180A) itself. It does if it has a Device ID, which is the
  /// property `Modalias`.
  var hasDeviceInformation: Bool { modalias != nil }

  /// The path of the object of a device.
  func path(of device: DeviceAddress) -> ObjectPath { ObjectPath(device: device, below: path) }

  /// The addresses of the connected devices.
  var connectedCentrals: Set<DeviceAddress> {
    Set(connected.compactMap { DeviceAddress(devicePath: $0.string) })
  }

  /// For example `hci0`.
  var name: String { path.string.split(separator: "/").last.map(String.init) ?? path.string }

  /// The adapter in the list of those that the user can choose.
  var known: AdapterFinding.Known { AdapterFinding.Known(name: name, address: address) }

  var local: LocalAdapter {
    LocalAdapter(
      name: name, address: address,
      stack: modalias.flatMap { BlueZVersion(modalias: $0) }?.description ?? "BlueZ")
  }

  /// The kernel's number and the address; nil if the adapter's name is not `hciN`.
  var controller: LocalController? {
    guard name.hasPrefix("hci"), let index = UInt16(name.dropFirst(3)) else { return nil }
    return LocalController(index: index, address: LinkAddress(address, addressKind))
  }
}

extension Adapter {
  init?(path: ObjectPath, interfaces: [String: DBusValue]) {
    guard let properties = interfaces[BlueZ.adapter]?.dictionary,
      let address = properties["Address"]?.string.flatMap({ DeviceAddress($0) })
    else { return nil }
    let advertising = interfaces[BlueZ.advertisingManager]?.dictionary
    self.init(
      path: path, address: address,
      addressKind: properties["AddressType"]?.string == "random" ? .random : .public,
      isPowered: properties["Powered"]?.bool ?? false,
      alias: properties["Alias"]?.string ?? "", systemName: properties["Name"]?.string ?? "",
      modalias: properties["Modalias"]?.string,
      canBePeripheral: advertising != nil && interfaces[BlueZ.gattManager] != nil,
      advertisements: advertising?["ActiveInstances"]?.int ?? 0,
      freeAdvertisements: advertising?["SupportedInstances"]?.int ?? 0,
      hasExtendedAdvertising: advertising?["SupportedSecondaryChannels"]?.array?.isEmpty == false,
      isPairable: properties["Pairable"]?.bool ?? false,
      pairableTimeout: UInt32(properties["PairableTimeout"]?.int ?? 0))
  }

  /// All adapters in the reply to GetManagedObjects, by name.
  static func all(in objects: DBusValue?) -> [Adapter] {
    let objects = (objects?.dictionary ?? [:]).compactMap { path, interfaces in
      ObjectPath(path).map { (path: $0, interfaces: interfaces.dictionary ?? [:]) }
    }
    var adapters = objects.compactMap { Adapter(path: $0.path, interfaces: $0.interfaces) }
    for (path, interfaces) in objects {
      guard let device = interfaces[BlueZ.device]?.dictionary,
        let index = adapters.firstIndex(where: { path.isBelow($0.path) })
      else { continue }
      if device["Connected"]?.bool == true { adapters[index].connected.append(path) }
      if let address = DeviceAddress(devicePath: path.string), let identity = LinkAddress(ofDevice: device),
        identity.address != address
      {
        adapters[index].identities[address] = identity
      }
    }
    return adapters.sorted {
      ($0.path.string.utf8.count, $0.path.string) < ($1.path.string.utf8.count, $1.path.string)
    }
  }
}

extension LinkAddress {
  /// The address that bluetoothd gives for a device now: once it has the identity, that. The path of the object stays.
  init?(ofDevice properties: [String: DBusValue]) {
    guard let address = properties["Address"]?.string.flatMap({ DeviceAddress($0) }) else { return nil }
    self.init(address, properties["AddressType"]?.string == "random" ? .random : .public)
  }
}
