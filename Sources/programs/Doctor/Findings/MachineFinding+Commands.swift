import Peripheral
import System

extension MachineFinding {
  /// The commands of root in its remedy; none: a person has to decide, or to move a plug.
  package func commands(for user: UserFacts, on tools: MachineTools) -> [String] {
    switch self {
    case .refused(let finding, _): finding.commands(for: user, on: tools)
    case .onAnotherAdapter(let finding): finding.commands(for: user, on: tools)
    case .bluetoothdNotOnBus, .configurationIsNewer: [tools.restart]
    case .strayInstances(let adapter, _): [Self.clearing(adapter)]
    default: []
    }
  }

  static func clearing(_ adapter: String) -> String {
    "btmgmt --index \(adapter.drop { !$0.isNumber }) clr-adv"
  }

  /// What to set in bluetoothd's configuration; nil: nothing.
  package var edit: (assignment: MainConfiguration.Assignment, path: String)? {
    guard case .setting(let setting, let path) = self else { return nil }
    return (setting.remedy, path)
  }
}

extension MachineFinding.Setting {
  /// The value for a virtual peripheral.
  var remedy: MainConfiguration.Assignment {
    switch self {
    case .ownDeviceInformation: MainConfiguration.Assignment("General", "DeviceID", "false")
    case .fatalMTU, .smallMTU: MainConfiguration.Assignment("GATT", "ExchangeMTU", "517")
    case .enhancedChannels: MainConfiguration.Assignment("GATT", "Channels", "1")
    case .adaptersStayOff: MainConfiguration.Assignment("Policy", "AutoEnable", "true")
    case .noRepairing: MainConfiguration.Assignment("General", "JustWorksRepairing", "always")
    case .fixedSecurity: MainConfiguration.Assignment("GATT", "Security", "auto")
    case .centralIsSearched: MainConfiguration.Assignment("General", "ReverseServiceDiscovery", "false")
    case .cachedAttributes: MainConfiguration.Assignment("GATT", "Cache", "no")
    case .noLowEnergyMode: MainConfiguration.Assignment("General", "ControllerMode", "dual")
    }
  }
}

extension AdapterFinding {
  /// The commands in its hint.
  fileprivate func commands(for user: UserFacts, on tools: MachineTools) -> [String] {
    switch self {
    case .noBus: [tools.control("start", "dbus")]
    case .noSockets: tools.isInContainer ? [] : ["modprobe bluetooth"]
    case .noBluetoothd: tools.hasBluetoothd ? tools.startOfBluetoothd : ["apt-get install bluez"]
    case .bluetoothdIsSilent: [tools.restart]
    case .bluetoothdDeniesAccess: ["adduser \(user.name) bluetooth"]
    case .noCapabilities: ["setcap cap_net_admin+ep \(tools.program)"]
    case .blockedByRFKill: ["rfkill unblock bluetooth"]
    default: []
    }
  }
}
