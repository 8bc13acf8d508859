import Bluetooth
import DeviceModel
import Exact
import Kernel
import Peripheral

extension Examination {
  /// Those of each adapter, and of the choice among them.
  var adapters: [MachineFinding] {
    guard facts.kernel.sockets == .work else { return [] }
    let blocked = facts.switches.flatMap(findings(ofSwitch:))
    let programs = facts.programs.map(MachineFinding.programListens)
    guard !facts.adapters.isEmpty else { return blocked + [withoutAdapter] }
    let asked = facts.adapters.filter(isAsked)
    guard !asked.isEmpty else { return blocked + [.refused(noSuchAdapter)] + programs }
    return blocked + asked.flatMap { findings(of: $0, among: asked) } + programs
  }

  private var withoutAdapter: MachineFinding {
    if facts.surroundings.isSubsystem { return .subsystemWithoutAdapter }
    if let kind = facts.surroundings.virtualMachine { return .virtualMachineWithoutAdapter(kind: kind) }
    return .refused(.noAdapter)
  }

  private func isAsked(_ adapter: AdapterFacts) -> Bool {
    switch purpose.choice {
    case .first: true
    case .named(let name): adapter.name == name
    case .address(let address): adapter.address == address
    }
  }

  private var noSuchAdapter: AdapterFinding {
    let known = facts.adapters.compactMap { adapter in
      adapter.address.map { AdapterFinding.Known(name: adapter.name, address: $0) }
    }
    return switch purpose.choice {
    case .named(let name): .noSuchAdapter(name, known: known)
    case .address(let address): .noSuchAdapter(address.description, known: known)
    case .first: .noAdapter
    }
  }

  private func findings(ofSwitch radio: RadioSwitch) -> [MachineFinding] {
    if radio.isHardBlocked { return [.blockedBySwitch(radio.name)] }
    return radio.isSoftBlocked ? [.refused(.blockedByRFKill(radio.name))] : []
  }

  /// An obstacle on one of several adapters is a note: `blemu run` takes another one.
  private func findings(of adapter: AdapterFacts, among asked: [AdapterFacts]) -> [MachineFinding] {
    let obstacles = obstacles(on: adapter)
    let isOneOfSeveral = asked.contains { $0 != adapter && self.obstacles(on: $0).isEmpty }
    if isOneOfSeveral, !obstacles.isEmpty { return obstacles.map(MachineFinding.onAnotherAdapter) }
    return obstacles + (obstacles.isEmpty ? ready(adapter) : []) + remarks(on: adapter)
  }
}

// MARK: Obstacles

extension Examination {
  /// What keeps a device from this adapter.
  private func obstacles(on adapter: AdapterFacts) -> [MachineFinding] {
    if let radio = adapter.radioSwitch {
      let blocked = findings(ofSwitch: RadioSwitch(named: adapter.name, like: radio))
      if !blocked.isEmpty { return blocked }
    }
    guard adapter.controller != nil || adapter.bluez != nil else {
      // A device of this user has taken it from the kernel.
      return adapter.devices.isEmpty ? [.adapterIsHeld(adapter.name)] : []
    }
    if let supported = adapter.controller?.supported, !supported.contains(.lowEnergy) {
      return [.refused(.noLowEnergy([adapter.name]))]
    }
    return isForBlueZ ? obstaclesOfBlueZ(on: adapter) : obstaclesOfExact(on: adapter)
  }

  private func obstaclesOfBlueZ(on adapter: AdapterFacts) -> [MachineFinding] {
    guard facts.bus == .serves else { return [] }
    guard let bluez = adapter.bluez else { return [.refused(.adapterIsNotServed(adapter.name))] }
    if !bluez.canBePeripheral { return [.refused(.cannotBePeripheral([adapter.name]))] }
    if bluez.freeInstances == 0 {
      return [.refused(.noAdvertisingInstance(adapter.name, used: bluez.usedInstances))]
    }
    let isHidden = adapter.controller.map {
      $0.address == bluez.address && $0.current.contains(.staticAddress)
    }
    return isHidden == true ? [.refused(.staticAddressHidesBluetoothd(adapter.name))] : []
  }

  private func obstaclesOfExact(on adapter: AdapterFacts) -> [MachineFinding] {
    let isExtended = adapter.advertising?.flags.contains(.secondary1M)
    guard isExtended == false, let keys = advertisement?.extendedKeys, !keys.isEmpty else { return [] }
    return [.refused(.noExtendedAdvertising(adapter.name, needed: keys))]
  }

  private var advertisement: Advertisement? {
    guard let definition = purpose.definition, let table else { return nil }
    return try? definition.advertisement.resolved(in: definition.initialContext, with: table)
  }

  /// The attributes with the initial settings.
  var table: AttributeTable? {
    purpose.definition.flatMap { try? $0.attributes(in: $0.initialContext) }
  }
}

// MARK: Remarks

extension Examination {
  private func ready(_ adapter: AdapterFacts) -> [MachineFinding] {
    guard let address = adapter.address else { return [] }
    let bluez = adapter.bluez
    var findings: [MachineFinding] = [
      .adapterIsReady(
        AdapterSummary(
          name: adapter.name, address: address, bluetoothVersion: adapter.controller?.bluetoothVersion,
          roles: bluez?.roles ?? [], usedInstances: bluez?.usedInstances, freeInstances: bluez?.freeInstances,
          maximumData: bluez?.maximumData ?? adapter.advertising?.maximumAdvertisingData,
          phys: bluez?.secondaryChannels ?? []))
    ]
    let isOn = bluez?.isPowered ?? adapter.controller?.current.contains(.powered)
    if isOn == false { findings.append(.adapterIsOff(adapter.name)) }
    return findings
  }

  private func remarks(on adapter: AdapterFacts) -> [MachineFinding] {
    var findings = adapter.devices.map { MachineFinding.deviceRuns(adapter: adapter.name, device: $0) }
    // A device of this user has an advertisement, and perhaps centrals.
    guard adapter.devices.isEmpty, let bluez = adapter.bluez else { return findings }
    if bluez.usedInstances > 0 {
      findings.append(.othersAdvertise(adapter: adapter.name, count: bluez.usedInstances))
    }
    let stray = (adapter.advertising?.instances.count ?? 0) - bluez.usedInstances
    if stray > 0 { findings.append(.strayInstances(adapter: adapter.name, count: stray)) }
    if !bluez.connected.isEmpty {
      findings.append(.centralsAreConnected(adapter: adapter.name, bluez.connected))
    }
    if bluez.isDiscovering { findings.append(.someoneScans(adapter: adapter.name)) }
    return findings
  }
}

extension RadioSwitch {
  fileprivate init(named name: String, like other: RadioSwitch) {
    self.init(name: name, isSoftBlocked: other.isSoftBlocked, isHardBlocked: other.isHardBlocked)
  }
}
