import Peripheral

extension MachineFinding {
  /// What it is about, for the column next to its level.
  package var place: String {
    switch self {
    case .refused(let finding, _): finding.place
    case .needsNothing, .containerWithoutBluetooth, .containerWithoutBus, .subsystemWithoutBluetooth,
      .subsystemWithoutAdapter, .virtualMachineWithoutAdapter:
      "environment"
    case .kernelHasBluetooth, .kernelWithoutBluetooth, .kernelDefect: "kernel"
    case .bluezDefect: "BlueZ"
    case .bluetoothdServes, .bluetoothdNotOnBus: "bluetoothd"
    case .mayCallBluetoothd, .mayManageAdapters: "permissions"
    case .adapterIsReady(let summary): summary.name
    case .adapterIsOff(let name), .blockedBySwitch(let name), .adapterIsHeld(let name),
      .othersAdvertise(let name, _), .strayInstances(let name, _),
      .centralsAreConnected(let name, _), .someoneScans(let name), .deviceRuns(let name, _):
      name
    case .programListens: "adapters"
    case .onAnotherAdapter(let finding): finding.place
    case .configurationIsRead, .configurationIsMissing, .configurationIsUnreadable, .configurationIsNewer,
      .configurationIsBroken, .unknownValue, .setting:
      "configuration"
    case .definitionFits, .definitionRemark, .definitionNotes: "definition"
    }
  }

  package var level: Level {
    switch self {
    case .refused(_, let level): level
    case .needsNothing, .kernelHasBluetooth, .bluetoothdServes, .mayCallBluetoothd, .mayManageAdapters,
      .adapterIsReady, .adapterIsOff, .configurationIsRead, .definitionFits:
      .ok
    case .containerWithoutBluetooth, .containerWithoutBus, .subsystemWithoutBluetooth,
      .subsystemWithoutAdapter, .virtualMachineWithoutAdapter, .kernelWithoutBluetooth, .bluetoothdNotOnBus,
      .blockedBySwitch, .adapterIsHeld:
      .problem
    case .kernelDefect(let defect, _):
      defect == .refusesAdvertisements || defect == .diesWhenCentralLeaves ? .problem : .note
    case .setting(let setting, _): setting == .fatalMTU || setting == .noLowEnergyMode ? .problem : .note
    case .definitionRemark(let remark): remark.level
    case .onAnotherAdapter: .note
    case .bluezDefect, .othersAdvertise, .strayInstances, .centralsAreConnected, .someoneScans, .deviceRuns,
      .programListens, .configurationIsMissing, .configurationIsUnreadable, .configurationIsNewer,
      .configurationIsBroken, .unknownValue, .definitionNotes:
      .note
    }
  }

  /// Whose fault a problem is, for the exit status.
  package var kind: TransportError.Kind {
    switch self {
    case .refused(let finding, _): finding.kind
    case .definitionRemark: .invalid
    case .containerWithoutBluetooth, .containerWithoutBus, .subsystemWithoutBluetooth,
      .subsystemWithoutAdapter,
      .virtualMachineWithoutAdapter, .kernelWithoutBluetooth:
      .withoutBluetooth
    default: .unavailable
    }
  }

  /// The name for programs, as in `stray-instances`: that of its case, or of the case that it contains.
  package var code: String {
    switch self {
    case .refused(let finding, _): Self.code(of: finding)
    case .kernelDefect(let defect, _): Self.code(of: defect)
    case .bluezDefect(let defect, _): Self.code(of: defect)
    case .setting(let setting, _): Self.code(of: setting)
    case .onAnotherAdapter(let finding): finding.code
    default: Self.code(of: self)
    }
  }

  /// `noBus(reason: "…")` becomes `no-bus`.
  private static func code(of value: some Any) -> String {
    code(ofCase: "\("\(value)".prefix { $0 != "(" })")
  }

  /// `fatalMTU` becomes `fatal-mtu`.
  static func code(ofCase name: String) -> String {
    var code = ""
    var wasCapital = false
    for character in name {
      let isCapital = character.isUppercase
      if isCapital, !wasCapital, !code.isEmpty { code += "-" }
      code += character.lowercased()
      wasCapital = isCapital || character.isNumber
    }
    return code
  }
}

extension AdapterFinding {
  fileprivate var place: String {
    switch self {
    case .noBus: "bus"
    case .noSockets, .noManagement: "kernel"
    case .noCapabilities, .bluetoothdDeniesAccess: "permissions"
    case .noBluetoothd, .bluetoothdIsSilent, .bluetoothdStopped, .leftEarly, .servicesRefused: "bluetoothd"
    case .noAdapter, .noSuchAdapter: "adapters"
    case .adapterIsNotServed(let name): name
    case .cannotBePeripheral(let names), .noLowEnergy(let names), .noneFree(let names):
      names.joined(separator: ", ")
    case .isTaken(let name, _), .othersUse(let name, _, _), .cannotTake(let name, _), .inUse(let name, _),
      .staticAddressHidesBluetoothd(let name),
      .blockedByRFKill(let name), .busy(let name), .cannotSwitchOn(let name, _, _),
      .cannotSetName(let name, _), .advertisementRefused(let name, _),
      .noAdvertisingInstance(let name, _), .doesNotAdvertise(let name, _), .setRefused(let name, _),
      .noAdvertisingSet(let name), .noExtendedAdvertising(let name, _), .noPHY(let name, _),
      .advertisingDataTooLong(let name, _, _):
      name
    case .advertisementTooLong: "definition"
    }
  }
}
