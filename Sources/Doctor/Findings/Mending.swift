import Peripheral

/// How a machine is mended: what `blemu doctor --fix` does after a yes.
package enum Mending: Hashable, Sendable {
  /// A command of root.
  case command([String])
  /// Sets a key of main.conf.
  case edit(MainConfiguration.Assignment, path: String)

  /// What root types after an edit.
  package static let restart = Mending.command(["systemctl", "restart", "bluetooth"])
}

extension MachineFinding {
  /// nil: a person has to decide, or to move a plug.
  package func mending(for user: UserFacts) -> Mending? {
    switch self {
    case .refused(let finding, _): finding.mending(for: user)
    case .onAnotherAdapter(let finding): finding.mending(for: user)
    case .bluetoothdNotOnBus, .configurationIsNewer: .restart
    case .strayInstances(let adapter, _):
      .command(["btmgmt", "--index", String(adapter.drop { !$0.isNumber }), "clr-adv"])
    case .setting(let setting, let path): setting.remedy.map { .edit($0, path: path) }
    default: nil
    }
  }
}

extension MachineFinding.Setting {
  /// The value for a virtual peripheral; nil: it is fine as it is.
  var remedy: MainConfiguration.Assignment? {
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
  fileprivate func mending(for user: UserFacts) -> Mending? {
    switch self {
    case .noBus: .command(["systemctl", "start", "dbus"])
    case .noSockets: .command(["modprobe", "bluetooth"])
    case .noBluetoothd: .command(["systemctl", "start", "bluetooth"])
    case .bluetoothdIsSilent: .restart
    case .bluetoothdDeniesAccess: .command(["adduser", user.name, "bluetooth"])
    case .noCapabilities(let program): .command(["setcap", "cap_net_admin+ep", program])
    case .blockedByRFKill: .command(["rfkill", "unblock", "bluetooth"])
    default: nil
    }
  }
}
