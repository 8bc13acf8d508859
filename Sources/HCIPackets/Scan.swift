import Bluetooth

/// How a controller scans (Core Specification, Vol 4 Part E 7.8.10, 7.8.64).
package struct Scan: Hashable, Sendable {
  /// Whether it asks scannable advertisers for their scan response.
  package var isActive: Bool
  /// The time between the beginnings of two windows, in units of 0.625 ms; on LE Coded as well.
  package var interval: UInt16 = 0x60
  /// For how long it listens in each interval, in units of 0.625 ms.
  package var window: UInt16 = 0x60
  /// LE 1M and LE Coded; the other one has no primary channels.
  package var phys: PHYs = .le1M
  /// Whether the controller reports each advertiser once, as far as its memory goes.
  package var filtersDuplicates = false
  /// Whether it hears only the devices of the accept list.
  package var isAcceptListOnly = false
  /// A random address for scan requests; nil: the controller's public one.
  package var address: DeviceAddress?

  package init(isActive: Bool) { self.isActive = isActive }
}
