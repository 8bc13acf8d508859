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

/// Several PHYs, by the bits that the commands of LE have for them (Core Specification, Vol 4 Part E 7.8.48, 7.8.64, 7.8.66).
package struct PHYs: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let le1M = Self(rawValue: 1 << 0)
  package static let le2M = Self(rawValue: 1 << 1)
  package static let leCoded = Self(rawValue: 1 << 2)

  /// How many there are.
  var count: Int { rawValue.nonzeroBitCount }
}
