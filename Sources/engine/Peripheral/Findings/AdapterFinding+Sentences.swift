import Bluetooth
import System

extension AdapterFinding {
  package var kind: TransportError.Kind {
    switch self {
    case .bluetoothdDeniesAccess, .noCapabilities: .noPermission
    case .noBus, .noSockets, .noBluetoothd, .noAdapter: .withoutBluetooth
    case .advertisementTooLong: .invalid
    default: .unavailable
    }
  }

  /// What has happened, as a clause.
  package var message: String { sentences(on: MachineTools(programs: [])).message }

  /// What has happened, as a clause, and what to do about it on a machine with these tools.
  package func sentences(on tools: MachineTools) -> (message: String, hint: String) {
    switch self {
    case .noBus(let reason):
      (
        "cannot connect to the D-Bus system bus: \(reason)",
        "start it (\(tools.asRoot(tools.control("start", "dbus"))))"
      )
    case .noSockets: ("this kernel has no Bluetooth sockets", tools.loadingBluetooth)
    case .noCapabilities:
      (
        "--on exact needs the capability CAP_NET_ADMIN",
        "grant it (\(tools.granting("cap_net_admin"))), or \(tools.runAsRoot)"
      )
    case .noManagement(let reason): (reason, Self.kernelLog(tools))

    case .bluetoothdDeniesAccess(let reason):
      (
        "the system bus refuses access to bluetoothd: \(reason)",
        "\(tools.runAsRoot), or join the group 'bluetooth' (\(tools.asRoot("adduser $USER bluetooth"))) and log in again"
      )
    case .noBluetoothd: ("bluetoothd is not running", Self.startingBluetoothd(tools))
    case .bluetoothdIsSilent(let reason):
      (
        "bluetoothd does not answer" + (reason.map { ": \($0)" } ?? ""),
        "see its log (\(tools.logOfBluetoothd)), or restart it (\(tools.asRoot(tools.restart)))"
      )
    case .bluetoothdStopped:
      (
        "bluetoothd has stopped",
        "see its log (\(tools.logOfBluetoothd)), and start it (\(tools.asRoot(tools.control("start", "bluetooth"))))"
      )
    case .leftEarly:
      ("the device was taken off the air before BlueZ had registered it", "start it again")

    case .noAdapter: ("this machine has no Bluetooth adapter", "plug one in")
    case .adapterIsNotServed(let name):
      (
        "bluetoothd does not serve \(name)",
        "see its log (\(tools.logOfBluetoothd)), or use --on exact:\(name)"
      )
    case .noSuchAdapter(let choice, let known):
      (
        "there is no adapter \(choice)",
        "available: " + known.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
      )
    case .cannotBePeripheral(let adapters):
      ("BlueZ cannot advertise on \(adapters.joined(separator: ", "))", Self.bluetooth4(.bluez))
    case .noLowEnergy(let adapters):
      ("\(adapters.joined(separator: ", ")) does not support Bluetooth LE", Self.bluetooth4(.exact))
    case .noneFree(let adapters):
      (
        "no adapter is free for another device; blemu is using \(adapters.joined(separator: ", "))",
        "each device needs an adapter, and so does a client on this machine: stop a device, or add adapters"
          + (tools.repository.map { ", as in \($0)tools/vm --controllers 4" } ?? "")
      )
    case .inUse(let adapter, let stack):
      ("another blemu is using \(adapter)", "stop it, or \(Self.another(stack))")
    case .isTaken(let adapter, let stack):
      ("another program has \(adapter) for itself", "stop it, or \(Self.another(stack))")
    case .othersUse(let adapter, let connected, let advertisements):
      (
        "other programs are using \(adapter) and would be cut off: " + Self.use(connected, advertisements),
        "\(Self.another(.exact)), or end this use with --take"
      )
    case .cannotTake(let adapter, let reason):
      ("cannot take \(adapter) from the kernel: \(reason)", Self.kernelLog(tools))

    case .staticAddressHidesBluetoothd(let adapter):
      (
        "\(adapter) has a static address, at which bluetoothd does not answer centrals",
        "remove it, while the adapter is off: \(tools.asRoot("btmgmt static-addr 00:00:00:00:00:00", from: "bluez"))"
      )
    case .blockedByRFKill(let adapter):
      ("\(adapter) is blocked by rfkill", "unblock it: \(tools.unblocking)")
    case .busy(let adapter): ("cannot switch \(adapter) on: it is busy", "try again in a few seconds")
    case .cannotSwitchOn(let adapter, let stack, let reason):
      (
        "cannot switch \(adapter) on: \(reason)",
        stack == .bluez
          ? "it may be blocked (\(tools.unblocking)), or in use by another program" : Self.kernelLog(tools)
      )
    case .cannotSetName(let adapter, let reason):
      ("cannot set the name of \(adapter): \(reason)", Self.bluetoothdLog(tools))

    case .servicesRefused(let reason): ("BlueZ refused the services: \(reason)", Self.bluetoothdLog(tools))
    case .advertisementRefused(let adapter, let reason):
      (
        "BlueZ refused the advertisement: \(reason)",
        "check that \(adapter) is switched on and not in use; \(Self.bluetoothdLog(tools))"
      )
    case .advertisementTooLong:
      ("the advertisement is too long for BlueZ", "shorten it; 'blemu show' prints its fields")
    case .noAdvertisingInstance(let adapter, let used):
      (
        "\(adapter) has no free advertising instance; in use: \(used)",
        "stop another program that advertises, or \(Self.another(.bluez))"
      )
    case .doesNotAdvertise(let adapter, let reason):
      (
        "\(adapter) does not advertise: \(reason)",
        "stop other programs that advertise, or \(Self.another(.exact))"
      )
    case .setRefused(let adapter, let reason):
      (
        "\(adapter) does not advertise: \(reason)",
        "\(Self.another(.exact)), or advertise without 'phy', 'channels' and 'directed'"
      )
    case .noAdvertisingSet(let adapter):
      (
        "\(adapter) has no room for another advertising set",
        "stop other programs that advertise, or leave out some of the definition's 'sets'"
      )
    case .noExtendedAdvertising(let adapter, let needed):
      (
        "\(adapter) has no extended advertising, without which blemu cannot do "
          + needed.map { "'\($0)'" }.joined(separator: ", "),
        "choose an adapter with Bluetooth 5 with --on exact:hciN, or leave \(needed.count == 1 ? "it" : "them") out"
      )
    case .noPHY(let adapter, let phy):
      (
        "\(adapter) does not advertise on " + (phy == .coded ? "LE Coded" : "LE \(phy.rawValue)"),
        "\(Self.another(.exact)), or another 'phy'"
      )
    case .advertisingDataTooLong(let adapter, let size, let capacity):
      (
        "\(adapter) sends at most \(capacity) bytes of advertising data, not \(size)",
        "\(Self.another(.exact)), or shorten the data"
      )
    }
  }
}

// MARK: Hints of several findings

extension AdapterFinding {
  private static func bluetoothdLog(_ tools: MachineTools) -> String {
    "see bluetoothd's log (\(tools.logOfBluetoothd))"
  }

  private static func kernelLog(_ tools: MachineTools) -> String {
    "see the kernel's log (\(tools.asRoot("dmesg"))); btmon shows the commands"
  }

  private static func startingBluetoothd(_ tools: MachineTools) -> String {
    guard tools.hasBluetoothd else { return tools.installing("bluez") }
    let commands = tools.startOfBluetoothd.map { tools.asRoot($0) }.joined(separator: " && ")
    return tools.isBluetoothdMasked
      ? "it is masked; unmask and start it: \(commands)" : "start it: \(commands)"
  }

  private static func another(_ stack: Stack) -> String {
    "choose another adapter with --on \(stack.rawValue):hciN"
  }

  private static func use(_ connected: [DeviceAddress], _ advertisements: Int) -> String {
    let links =
      connected.isEmpty
      ? [] : ["a connection with " + connected.map(\.description).joined(separator: ", ")]
    let sent =
      advertisements == 0
      ? [] : [advertisements == 1 ? "1 advertisement" : "\(advertisements) advertisements"]
    return (links + sent).joined(separator: "; ")
  }

  private static func bluetooth4(_ stack: Stack) -> String {
    "use a controller with Bluetooth 4.0 or later; \(another(stack))"
  }
}
