import Peripheral

extension MachineFinding {
  /// The command of root in its remedy; nil: a person has to decide, or to move a plug.
  package func command(for user: UserFacts) -> [String]? {
    switch self {
    case .refused(let finding, _): finding.command(for: user)
    case .onAnotherAdapter(let finding): finding.command(for: user)
    case .bluetoothdNotOnBus, .configurationIsNewer: Self.restart
    case .strayInstances(let adapter, _):
      ["btmgmt", "--index", String(adapter.drop { !$0.isNumber }), "clr-adv"]
    default: nil
    }
  }

  /// After an edit, bluetoothd has to read it.
  package static let restart = ["systemctl", "restart", "bluetooth"]

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
    case .centralIsSearched: MainConfiguration.Assignment("General", "ReverseServiceDiscovery", "false")
    case .cachedAttributes: MainConfiguration.Assignment("GATT", "Cache", "no")
    case .noLowEnergyMode: MainConfiguration.Assignment("General", "ControllerMode", "dual")
    }
  }
}

extension AdapterFinding {
  /// The command in its hint.
  fileprivate func command(for user: UserFacts) -> [String]? {
    switch self {
    case .noBus: ["systemctl", "start", "dbus"]
    case .noSockets: ["modprobe", "bluetooth"]
    case .noBluetoothd: ["systemctl", "start", "bluetooth"]
    case .bluetoothdIsSilent: MachineFinding.restart
    case .bluetoothdDeniesAccess: ["adduser", user.name, "bluetooth"]
    case .noCapabilities(let program): ["setcap", "cap_net_admin+ep", program]
    case .blockedByRFKill: ["rfkill", "unblock", "bluetooth"]
    default: nil
    }
  }
}
