import BlueZLimits
import DeviceModel

/// What some or all releases of bluetoothd do not do for a device, beyond what `blemu check` knows of every release. Each was
/// measured on BlueZ 5.66, 5.82 and 5.87.
package enum BlueZDefect: CaseIterable, Hashable, Sendable {
  /// Write requests of 511 and 512 bytes get Invalid Attribute Value Length (0D).
  case refusesLongWrites
  /// A notification goes to every central that has subscribed.
  case notifiesEverybody
  /// It advertises every 1,280 ms, whatever a device asks for, unless it runs with `--experimental`.
  case ignoresIntervals
  /// It crashes when a program of this machine scans for the UUID of a service.
  case crashesOnScansForServices
  /// It reads no message while a device of any program sends values.
  case answersLate
  /// It sends nothing to a bonded central that comes back, which is still subscribed.
  case forgetsSubscriptions

  /// Whether a release has it; true if the release is unknown.
  func isIn(_ release: BlueZVersion?, isExperimental: Bool) -> Bool {
    switch self {
    case .answersLate: true
    case .forgetsSubscriptions: release.map { $0 >= .forgetsSubscriptions } ?? true
    case .crashesOnScansForServices: release == .crashesOnScansForServices
    case .refusesLongWrites: release.map { $0 < .takesLongestWrites } ?? true
    case .notifiesEverybody: release.map { $0 < .addressesCentrals } ?? true
    case .ignoresIntervals: !isExperimental && (release.map { $0 < .followsTiming } ?? true)
    }
  }

  /// Whether a device may meet it.
  func concerns(_ definition: PeripheralDefinition) -> Bool {
    switch self {
    case .refusesLongWrites:
      // A request carries MTU − 3 bytes.
      definition.link.mtu ?? 0 >= 514
        && definition.characteristics.contains { $0.properties.contains(.write) }
    case .notifiesEverybody:
      definition.link.centrals ?? 2 > 1 && definition.characteristics.contains(where: \.canNotify)
    case .ignoresIntervals: definition.advertisement.interval != nil
    case .answersLate: false
    case .crashesOnScansForServices: true
    case .forgetsSubscriptions:
      definition.security != nil && definition.characteristics.contains(where: \.canNotify)
    }
  }
}
