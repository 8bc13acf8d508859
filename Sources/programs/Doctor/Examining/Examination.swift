import Bluetooth
import DeviceModel
import Peripheral

/// What a machine is to do: run a device.
package struct Purpose: Sendable {
  /// What serves the device; nil: it is in memory.
  package var stack: AdapterFinding.Stack? = .bluez
  package var choice = AdapterChoice.first
  /// Whether the user has chosen the transport.
  package var isChosen = false
  /// nil: any device.
  package var definition: PeripheralDefinition?

  package init() {}
}

/// Finds in the facts of a machine what matters for a purpose. It looks at nothing else.
package struct Examination {
  let facts: MachineFacts
  let purpose: Purpose

  package init(of facts: MachineFacts, for purpose: Purpose) {
    (self.facts, self.purpose) = (facts, purpose)
  }

  /// The findings, from the kernel up. Where there is no Bluetooth, the last says what works without it.
  package var findings: [MachineFinding] {
    guard let stack = purpose.stack else { return [.needsNothing] }
    let findings = findings(for: stack)
    return findings + (findings.contains { $0.kind == .withoutBluetooth } ? [.needsNothing] : [])
  }

  private func findings(for stack: AdapterFinding.Stack) -> [MachineFinding] {
    let groups: [[MachineFinding]] = [
      kernel, stack == .bluez ? bluetoothd : [], permissions, adapters, configuration,
    ]
    return groups.flatMap(\.self)
  }

  var isForBlueZ: Bool { purpose.stack == .bluez }

  // MARK: The kernel

  private var kernel: [MachineFinding] {
    switch facts.kernel.sockets {
    case .inAnotherNetwork: [.containerWithoutBluetooth]
    case .absent: [withoutSockets]
    case .work:
      [.kernelHasBluetooth(release: facts.kernel.release, facts.kernel.version)] + kernelDefects
    }
  }

  private var withoutSockets: MachineFinding {
    if facts.surroundings.isSubsystem { return .subsystemWithoutBluetooth }
    return facts.tools.hasBluetoothModule
      ? .refused(.noSockets) : .kernelWithoutBluetooth(release: facts.kernel.release)
  }

  private var kernelDefects: [MachineFinding] {
    guard let version = facts.kernel.version else { return [] }
    return KernelDefect.all(of: version).filter { isForBlueZ || $0 != .refusesAdvertisements }.map {
      .kernelDefect($0, version)
    }
  }

  // MARK: Permissions

  private var permissions: [MachineFinding] {
    let mayCall: [MachineFinding] =
      isForBlueZ && facts.bus == .serves ? [.mayCallBluetoothd(user: facts.user.name)] : []
    if facts.user.hasCapabilities { return mayCall + [.mayManageAdapters] }
    if !isForBlueZ { return [.refused(.noCapabilities)] }
    return mayCall + (purpose.isChosen ? [] : [.refused(.noCapabilities, .note)])
  }
}
