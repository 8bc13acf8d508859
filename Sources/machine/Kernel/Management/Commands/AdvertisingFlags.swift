/// How an instance advertises (bluez: doc/mgmt-api.txt, Add Extended Advertising Parameters).
package struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let connectable = Self(rawValue: 1 << 0)
  /// The kernel puts a Flags field before the data, which shortens the longest data by 3 bytes.
  package static let generalDiscoverable = Self(rawValue: 1 << 1)
  /// The kernel puts a Flags field before the data, which shortens the longest data by 3 bytes.
  package static let limitedDiscoverable = Self(rawValue: 1 << 2)
  /// The kernel puts a Flags field before the data, which shortens the longest data by 3 bytes.
  package static let managedFlags = Self(rawValue: 1 << 3)
  /// The kernel puts a Tx Power Level field after the data.
  package static let txPowerField = Self(rawValue: 1 << 4)
  /// The kernel puts an Appearance field before the scan response.
  package static let appearance = Self(rawValue: 1 << 5)
  /// The kernel puts the local name after the scan response.
  package static let localName = Self(rawValue: 1 << 6)

  /// Extended advertising on LE 1M. At most one of the three PHYs may be set; without one, advertising is legacy.
  package static let secondary1M = Self(rawValue: 1 << 7)
  package static let secondary2M = Self(rawValue: 1 << 8)
  package static let secondaryCoded = Self(rawValue: 1 << 9)

  /// Only in ``AdvertisingFeatures/flags``: the transmit power can be chosen.
  package static let canSetTxPower = Self(rawValue: 1 << 10)
  /// Only in ``AdvertisingFeatures/flags``: the controller itself switches between instances.
  package static let hardwareOffload = Self(rawValue: 1 << 11)

  /// The field Interval counts; ``AdvertisingInstance/interval`` sets this.
  package static let hasInterval = Self(rawValue: 1 << 14)
  /// A scan response follows, so a non-connectable instance must be scannable; other instances do not need this.
  package static let scanResponse = Self(rawValue: 1 << 16)
}
