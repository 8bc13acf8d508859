import Behavior
import BlueZLimits
import Bluetooth
import DBus
import Peripheral

/// The state of an adapter in BlueZ (`org.bluez.Adapter1`) at one moment.
struct Adapter: Hashable, Sendable {
  var path: ObjectPath
  var address = DeviceAddress([0, 0, 0, 0, 0, 0])!
  var addressKind = LinkAddress.Kind.public
  var isPowered = false
  var alias = ""
  /// The default alias.
  var systemName = ""
  var modalias: String?
  var hasGATTManager = false
  var hasAdvertisingManager = false
  var advertisements = 0
  var freeAdvertisements = 0
  /// Whether its controller has extended advertising: BlueZ then offers secondary channels.
  var hasExtendedAdvertising = false
  /// Whether centrals may bond, and after how many seconds bluetoothd ends that; 0: never.
  var isPairable = false
  var pairableTimeout: UInt32 = 0
  /// The connected devices.
  var connected: [ObjectPath] = []
  /// The identity addresses of devices whose objects are named after private addresses.
  var identities: [DeviceAddress: LinkAddress] = [:]

  var canBePeripheral: Bool { hasGATTManager && hasAdvertisingManager }

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
  var name: String {
    let path = path.string
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
  }

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

// MARK: Reading

extension Adapter {
  /// All adapters in the reply to GetManagedObjects, by name. Only what is of use is read: bluetoothd reports much more.
  static func all(in objects: inout MessageReader) -> [Adapter] {
    var adapters: [Adapter] = []
    var devices: [(path: ObjectPath, properties: DeviceProperties)] = []
    try? objects.entries { (path, interfaces) throws(DBusError) in
      guard let path = ObjectPath(String(path)) else { return }
      var adapter = Adapter(path: path)
      try interfaces.entries { interface, properties in
        switch String(interface) {
        case BlueZ.adapter: adapter.read(&properties)
        case BlueZ.gattManager: adapter.hasGATTManager = true
        case BlueZ.advertisingManager: adapter.readAdvertising(&properties)
        case BlueZ.device: devices.append((path, DeviceProperties(&properties)))
        default: break
        }
      }
      if !adapter.address.isZero { adapters.append(adapter) }
    }
    for (path, device) in devices {
      guard let index = adapters.firstIndex(where: { path.isBelow($0.path) }) else { continue }
      if device.isConnected == true { adapters[index].connected.append(path) }
      if let address = DeviceAddress(devicePath: path.string), let identity = device.address,
        identity.address != address
      {
        adapters[index].identities[address] = identity
      }
    }
    return adapters.sorted {
      ($0.path.string.utf8.count, $0.path.string) < ($1.path.string.utf8.count, $1.path.string)
    }
  }

  private mutating func read(_ properties: inout MessageReader) {
    try? properties.entries { key, value in
      if key.holds("Address") {
        if let address = DeviceAddress((try? value.string()) ?? "") { self.address = address }
      } else if key.holds("AddressType") {
        addressKind = (try? value.string()) == "random" ? .random : .public
      } else if key.holds("Powered") {
        isPowered = (try? value.bool()) ?? false
      } else if key.holds("Alias") {
        alias = (try? value.string()) ?? ""
      } else if key.holds("Name") {
        systemName = (try? value.string()) ?? ""
      } else if key.holds("Modalias") {
        modalias = try? value.string()
      } else if key.holds("Pairable") {
        isPairable = (try? value.bool()) ?? false
      } else if key.holds("PairableTimeout") {
        pairableTimeout = (try? value.uint32()) ?? 0
      }
    }
  }

  private mutating func readAdvertising(_ properties: inout MessageReader) {
    hasAdvertisingManager = true
    try? properties.entries { key, value in
      if key.holds("ActiveInstances") {
        advertisements = Int((try? value.byte()) ?? 0)
      } else if key.holds("SupportedInstances") {
        freeAdvertisements = Int((try? value.byte()) ?? 0)
      } else if key.holds("SupportedSecondaryChannels") {
        hasExtendedAdvertising = (try? value.value())?.array?.isEmpty == false
      }
    }
  }
}

/// What bluetoothd reports of a device (`org.bluez.Device1`); nil: nothing.
struct DeviceProperties {
  var isConnected: Bool?
  var isPaired: Bool?
  var isBonded: Bool?
  /// The address that bluetoothd gives for the device now: once it has the identity, that. The path of the object stays.
  var address: LinkAddress?

  init(_ properties: inout MessageReader) {
    var address: DeviceAddress?
    var kind = LinkAddress.Kind.public
    try? properties.entries { key, value in
      if key.holds("Connected") {
        isConnected = try? value.bool()
      } else if key.holds("Paired") {
        isPaired = try? value.bool()
      } else if key.holds("Bonded") {
        isBonded = try? value.bool()
      } else if key.holds("Address") {
        address = DeviceAddress((try? value.string()) ?? "")
      } else if key.holds("AddressType") {
        kind = (try? value.string()) == "random" ? .random : .public
      }
    }
    self.address = address.map { LinkAddress($0, kind) }
  }
}
