import Bluetooth
import System

/// A fact about this machine's adapters, its BlueZ or its kernel that keeps a device from going on the air.
///
/// The cases carry facts; ``AdapterFinding/sentences`` has the words for all of them. A `reason` is the message of another
/// program, of the kernel or of the controller.
package enum AdapterFinding: Error, Hashable, Sendable {
  /// What serves the device: the word after `--on`.
  package enum Stack: String, Sendable { case bluez, exact }

  /// An adapter of this machine.
  package struct Known: Hashable, Sendable {
    /// For example `hci0`.
    package var name: String
    package var address: DeviceAddress

    package init(name: String, address: DeviceAddress) {
      (self.name, self.address) = (name, address)
    }

    package init(_ controller: LocalController) {
      self.init(name: controller.name, address: controller.address.address)
    }
  }

  // MARK: Bluetooth as a whole

  /// No D-Bus system bus answers.
  case noBus(reason: String)
  /// The kernel has no Bluetooth sockets.
  case noSockets
  /// The program lacks `CAP_NET_ADMIN`.
  case noCapabilities
  /// The kernel's management interface failed before any adapter was chosen.
  case noManagement(reason: String)

  // MARK: bluetoothd

  case bluetoothdDeniesAccess(reason: String)
  case noBluetoothd
  /// - Parameter reason: nil: it has not answered in time.
  case bluetoothdIsSilent(reason: String?)
  case bluetoothdStopped
  /// The device left while BlueZ was registering it.
  case leftEarly

  // MARK: The choice of an adapter

  case noAdapter
  /// The kernel has the adapter, and bluetoothd does not serve it.
  case adapterIsNotServed(String)
  /// - Parameter choice: the name or the address that the user has chosen.
  case noSuchAdapter(_ choice: String, known: [Known])
  /// BlueZ has no GATT and advertising manager for any of these adapters.
  case cannotBePeripheral([String])
  case noLowEnergy([String])
  /// Devices of blemu use all adapters: these.
  case noneFree([String])
  /// Another blemu uses the adapter.
  case inUse(_ adapter: String, Stack)
  /// Another program has it for itself.
  case isTaken(_ adapter: String, Stack)
  /// Others have connections or advertisements on the adapter, which would end if blemu took it.
  case othersUse(_ adapter: String, connected: [DeviceAddress], advertisements: Int)
  /// The kernel does not let go of the adapter.
  case cannotTake(_ adapter: String, reason: String)

  // MARK: Preparing the adapter

  /// The kernel gives the links of the adapter a static address, and bluetoothd listens at the public one.
  case staticAddressHidesBluetoothd(_ adapter: String)
  case blockedByRFKill(_ adapter: String)
  case busy(_ adapter: String)
  case cannotSwitchOn(_ adapter: String, Stack, reason: String)
  case cannotSetName(_ adapter: String, reason: String)

  // MARK: Registering and advertising

  case servicesRefused(reason: String)
  case advertisementRefused(_ adapter: String, reason: String)
  case advertisementTooLong
  /// - Parameter used: the number of advertising instances in use.
  case noAdvertisingInstance(_ adapter: String, used: Int)
  case doesNotAdvertise(_ adapter: String, reason: String)
  /// The controller refused an advertising set for another reason than a lack of room.
  case setRefused(_ adapter: String, reason: String)
  case noAdvertisingSet(_ adapter: String)
  /// - Parameter needed: the keys of the definition that need it.
  case noExtendedAdvertising(_ adapter: String, needed: [String])
  case noPHY(_ adapter: String, AdvertisingPHY)
  /// In bytes.
  case advertisingDataTooLong(_ adapter: String, size: Int, capacity: Int)
}

extension TransportError {
  package init(_ finding: AdapterFinding, on tools: MachineTools = .ofThisMachine) {
    let (message, hint) = finding.sentences(on: tools)
    self.init(finding.kind, message, hint: hint)
  }
}
