import BlueZLimits
import Bluetooth
import Peripheral

/// A fact about this machine that a person who runs a device should know.
///
/// The cases carry facts; ``MachineFinding/sentences`` has the words. What also keeps a running device off the air is an
/// ``AdapterFinding`` with its own words.
package enum MachineFinding: Hashable, Sendable {
  package enum Level: String, Sendable, Comparable {
    case ok
    /// A device runs, but not in every way as the real one.
    case note
    /// A device cannot go on the air, or does not stay there.
    case problem

    private var rank: Int { self == .ok ? 0 : self == .note ? 1 : 2 }
    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
  }

  /// A finding that `blemu run` reports, too.
  case refused(AdapterFinding, Level = .problem)

  // MARK: What the machine runs in

  /// A device in memory needs neither a kernel nor a bus.
  case needsNothing
  /// The container has a network namespace of its own.
  case containerWithoutBluetooth
  case containerWithoutBus(reason: String)
  case subsystemWithoutBluetooth
  case subsystemWithoutAdapter
  /// - Parameter kind: for example `QEMU`.
  case virtualMachineWithoutAdapter(kind: String)

  // MARK: The kernel

  case kernelHasBluetooth(release: String, KernelVersion?)
  /// Neither built in nor a module that can be loaded.
  case kernelWithoutBluetooth(release: String)
  case kernelDefect(KernelDefect, KernelVersion)

  // MARK: BlueZ

  case bluetoothdServes(BluetoothdFacts)
  /// A process runs, but nobody has the name `org.bluez` on this bus.
  case bluetoothdNotOnBus(process: Int)
  case bluezDefect(BlueZDefect, BlueZVersion?)

  // MARK: Permissions

  case mayCallBluetoothd(user: String)
  case mayManageAdapters

  // MARK: Adapters

  case adapterIsReady(AdapterSummary)
  /// blemu switches it on.
  case adapterIsOff(String)
  case blockedBySwitch(String)
  /// The file system shows it, and the management interface does not.
  case adapterIsHeld(String)
  case othersAdvertise(adapter: String, count: Int)
  /// Instances that the kernel advertises, and bluetoothd does not know.
  case strayInstances(adapter: String, count: Int)
  case centralsAreConnected(adapter: String, [DeviceAddress])
  case someoneScans(adapter: String)
  /// The name of a running device of this user.
  case deviceRuns(adapter: String, device: String)
  case programListens(RunningProgram)
  /// `blemu run` takes an adapter without it.
  indirect case onAnotherAdapter(MachineFinding)

  // MARK: The configuration of bluetoothd

  case configurationIsRead(path: String)
  case configurationIsMissing(path: String)
  case configurationIsUnreadable(path: String, reason: String)
  case configurationIsNewer(path: String)
  /// bluetoothd drops the whole file.
  case configurationIsBroken(MainConfiguration.Mistake, path: String)
  /// - Parameter accepted: the values that bluetoothd accepts, for the message.
  case unknownValue(MainConfiguration.Assignment, path: String, line: Int, accepted: String)
  case setting(Setting, path: String)

  // MARK: The definition

  /// The transport serves it as it is.
  case definitionFits(name: String)
  /// What `blemu check` finds.
  case definitionRemark(DefinitionRemark)
  /// What the transport serves in its own way, as it does for every device.
  ///
  /// - Parameter command: the words after `blemu` that list them.
  case definitionNotes(count: Int, command: String)

  /// A setting of bluetoothd that matters to a virtual peripheral.
  package enum Setting: Hashable, Sendable {
    /// `DeviceID` is not `false`.
    case ownDeviceInformation
    /// `ExchangeMTU` = 23 makes this release reject every adapter.
    case fatalMTU
    /// `ExchangeMTU`, bytes.
    case smallMTU(Int)
    /// `Channels` is more than 1, and two adapters of this machine may talk to each other.
    case enhancedChannels(Int)
    /// `AutoEnable` = false.
    case adaptersStayOff
    /// `JustWorksRepairing` is not `always`.
    case noRepairing
    /// `Security` is not `auto`: every link has this level.
    case fixedSecurity(String)
    /// `ReverseServiceDiscovery` is not `false`.
    case centralIsSearched
    /// `Cache` is not `no`, and a central of this machine may meet several devices at one address.
    case cachedAttributes
    /// `ControllerMode` = bredr.
    case noLowEnergyMode
  }
}

/// What an adapter offers to a peripheral.
package struct AdapterSummary: Hashable, Sendable {
  package var name: String
  package var address: DeviceAddress
  /// As HCI numbers it; nil: unknown.
  package var bluetoothVersion: UInt8?
  /// nil: bluetoothd does not list it.
  package var roles: [String] = []
  package var usedInstances: Int?
  package var freeInstances: Int?
  /// The longest advertising data, bytes; nil: unknown.
  package var maximumData: Int?
  /// The PHYs of extended advertising; empty without it.
  package var phys: [String] = []
}

/// A diagnostic of `blemu check`.
package struct DefinitionRemark: Hashable, Sendable {
  package var level: MachineFinding.Level
  /// The file and the line.
  package var place: String
  package var message: String
  package var hint: String?

  package init(level: MachineFinding.Level, place: String, message: String, hint: String?) {
    (self.level, self.place, self.message, self.hint) = (level, place, message, hint)
  }
}
