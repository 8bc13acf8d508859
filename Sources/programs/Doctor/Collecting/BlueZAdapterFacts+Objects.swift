import BlueZLimits
import Bluetooth
import DBus

extension BlueZAdapterFacts {
  /// By the name of the adapter, from the reply to GetManagedObjects.
  static func all(in objects: DBusValue?) -> [String: BlueZAdapterFacts] {
    let objects = objects?.dictionary ?? [:]
    var found: [String: BlueZAdapterFacts] = [:]
    for (path, interfaces) in objects {
      guard let facts = BlueZAdapterFacts(interfaces.dictionary ?? [:]) else { continue }
      found[path.split(separator: "/").last.map(String.init) ?? path] = facts
    }
    for (path, interfaces) in objects {
      let parts = path.split(separator: "/").map(String.init)
      guard parts.count == 4,
        interfaces.dictionary?["org.bluez.Device1"]?.dictionary?["Connected"]?.bool == true,
        let address = DeviceAddress(parts[3].dropFirst(4).map { $0 == "_" ? ":" : String($0) }.joined())
      else { continue }
      found[parts[2]]?.connected.append(address)
    }
    return found
  }

  private init?(_ interfaces: [String: DBusValue]) {
    guard let properties = interfaces["org.bluez.Adapter1"]?.dictionary,
      let address = properties["Address"]?.string.flatMap({ DeviceAddress($0) })
    else { return nil }
    self.init(address: address)
    isPowered = properties["Powered"]?.bool ?? false
    isDiscovering = properties["Discovering"]?.bool ?? false
    roles = properties["Roles"]?.strings ?? []
    let modalias = properties["Modalias"]?.string
    hasDeviceInformation = modalias != nil
    version = modalias.flatMap { BlueZVersion(modalias: $0) }
    let advertising = interfaces["org.bluez.LEAdvertisingManager1"]?.dictionary
    canBePeripheral = advertising != nil && interfaces["org.bluez.GattManager1"] != nil
    usedInstances = advertising?["ActiveInstances"]?.int ?? 0
    freeInstances = advertising?["SupportedInstances"]?.int ?? 0
    secondaryChannels = advertising?["SupportedSecondaryChannels"]?.strings ?? []
    maximumData = advertising?["SupportedCapabilities"]?.dictionary?["MaxAdvLen"]?.int
  }
}
