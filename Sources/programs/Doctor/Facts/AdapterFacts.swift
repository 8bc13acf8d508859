import BlueZLimits
import Bluetooth
import Kernel

/// An adapter as the file system, the kernel and bluetoothd show it.
package struct AdapterFacts: Hashable, Sendable {
  /// For example `hci0`.
  package var name: String
  package var radioSwitch: RadioSwitch?
  /// nil: the management interface does not list it.
  package var controller: ControllerInformation?
  /// nil: this program may not ask for it.
  package var advertising: AdvertisingFeatures?
  /// nil: bluetoothd does not list it.
  package var bluez: BlueZAdapterFacts?
  /// The names of running devices of this user that use it.
  package var devices: [String] = []

  package init(name: String) { self.name = name }

  /// nil: unknown.
  package var address: DeviceAddress? { bluez?.address ?? controller?.address }
}

/// What bluetoothd says of an adapter (bluez: doc/org.bluez.Adapter.rst, doc/org.bluez.LEAdvertisingManager.rst).
package struct BlueZAdapterFacts: Hashable, Sendable {
  package var address: DeviceAddress
  package var isPowered = true
  package var isDiscovering = false
  /// Whether it has both the GATT and the advertising manager.
  package var canBePeripheral = true
  /// For example `central`, `peripheral`, `central-peripheral`.
  package var roles: [String] = []
  /// The advertising instances in use, and those that are free.
  package var usedInstances = 0
  package var freeInstances = 5
  /// The longest advertising data of an instance, bytes; nil: not reported.
  package var maximumData: Int?
  /// The PHYs of extended advertising: `1M`, `2M`, `Coded`; empty without it.
  package var secondaryChannels: [String] = []
  /// Whether bluetoothd serves Device Information (180A) itself.
  package var hasDeviceInformation = false
  /// The release of BlueZ, which its own Device Information contains.
  package var version: BlueZVersion?
  package var connected: [DeviceAddress] = []

  package init(address: DeviceAddress) { self.address = address }
}
