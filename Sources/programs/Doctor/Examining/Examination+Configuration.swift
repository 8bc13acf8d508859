import BlueZLimits
import DeviceModel
import Peripheral

extension Examination {
  /// Those of main.conf that matter for the purpose.
  var configuration: [MachineFinding] {
    guard facts.bluetoothd != nil else { return [] }
    let file = facts.configuration
    switch file.content {
    case .missing: return [.configurationIsMissing(path: file.path)]
    case .unreadable(let reason): return [.configurationIsUnreadable(path: file.path, reason: reason)]
    case .text(let configuration):
      let newer: [MachineFinding] = file.isNewerThanBluetoothd ? [.configurationIsNewer(path: file.path)] : []
      if let mistake = configuration.mistake {
        return [.configurationIsBroken(mistake, path: file.path)] + newer
      }
      let wrong = wrongValues(in: configuration, file.path)
      let settings = settings(in: configuration).map { MachineFinding.setting($0, path: file.path) }
      return [.configurationIsRead(path: file.path)] + newer + wrong + settings
    }
  }

  private func wrongValues(in configuration: MainConfiguration, _ path: String) -> [MachineFinding] {
    configuration.assignments.compactMap { line, assignment in
      let known = KnownSetting.all.first { $0.section == assignment.section && $0.key == assignment.key }
      guard let known, !known.accepts(assignment.value) else { return nil }
      return .unknownValue(assignment, path: path, line: line, accepted: known.accepted)
    }
  }

  private func settings(in configuration: MainConfiguration) -> [MachineFinding.Setting] {
    let value = { (section: String, key: String) -> String? in
      let known = KnownSetting.all.first { $0.section == section && $0.key == key }
      return configuration.value(section, key).flatMap { known?.accepts($0) == true ? $0 : nil }
    }
    let hasOthers = facts.adapters.count > 1
    var settings: [MachineFinding.Setting] = []
    if value("General", "ControllerMode") == "bredr" { settings.append(.noLowEnergyMode) }
    if let size = value("GATT", "ExchangeMTU").flatMap({ Int($0) }), size < 517 {
      settings.append(isFatal(size) ? .fatalMTU : .smallMTU(size))
    }
    if isForBlueZ, hasDeviceInformation, value("General", "DeviceID") != "false" {
      settings.append(.ownDeviceInformation)
    }
    if value("Policy", "AutoEnable") == "false" { settings.append(.adaptersStayOff) }
    if pairs, value("General", "JustWorksRepairing") != "always" { settings.append(.noRepairing) }
    if isForBlueZ, release.map({ $0 >= .fixesSecurity }) ?? true, value("General", "Testing") == "true",
      let level = value("GATT", "Security"), level != "auto"
    {
      settings.append(.fixedSecurity(level))
    }
    if isForBlueZ, value("General", "ReverseServiceDiscovery") != "false" {
      settings.append(.centralIsSearched)
    }
    let channels = value("GATT", "Channels").flatMap { Int($0) } ?? 3
    if isForBlueZ, hasOthers, channels > 1 { settings.append(.enhancedChannels(channels)) }
    if hasOthers, value("GATT", "Cache") != "no" { settings.append(.cachedAttributes) }
    return settings
  }

  /// Measured: BlueZ 5.66 and 5.82 then reject every adapter, and 5.87 does not.
  private func isFatal(_ size: Int) -> Bool {
    size == 23 && release.map { $0 < BlueZVersion(5, 87) } ?? true
  }

  /// Whether a device may have Device Information of its own, and may pair.
  private var hasDeviceInformation: Bool {
    purpose.definition == nil || table.map(BlueZLimits.hasDeviceInformation) == true
  }

  private var pairs: Bool { purpose.definition.map { $0.security != nil } ?? true }
}
