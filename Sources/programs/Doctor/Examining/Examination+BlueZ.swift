import BlueZLimits
import Peripheral

// MARK: bluetoothd, the bus, and the defects of the release

extension Examination {
  var bluetoothd: [MachineFinding] {
    switch facts.bus {
    case .absent(let reason):
      facts.surroundings.container == nil
        ? [.refused(.noBus(reason: reason))] : [.containerWithoutBus(reason: reason)]
    case .hasNoBluetoothd:
      [facts.bluetoothd.map { .bluetoothdNotOnBus(process: $0.process) } ?? .refused(.noBluetoothd)]
    case .denies(let reason): [.refused(.bluetoothdDeniesAccess(reason: reason))]
    case .isSilent(let reason): [.refused(.bluetoothdIsSilent(reason: reason))]
    case .serves: (facts.bluetoothd.map { [.bluetoothdServes($0)] } ?? []) + defects
    }
  }

  /// The release; nil: unknown.
  var release: BlueZVersion? {
    facts.bluetoothd?.version ?? facts.adapters.lazy.compactMap(\.bluez?.version).first
  }

  private var defects: [MachineFinding] {
    let isExperimental = facts.bluetoothd?.isExperimental ?? false
    return BlueZDefect.allCases.filter { defect in
      defect.isIn(release, isExperimental: isExperimental)
        && (purpose.definition.map(defect.concerns) ?? true)
    }.map { .bluezDefect($0, release) }
  }
}
