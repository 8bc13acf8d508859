/// Primary advertising channels, as in the channel map of HCI (Core Specification, Vol 4 Part E 7.8.53).
package struct AdvertisingChannels: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let all: Self = [.channel(37), .channel(38), .channel(39)]

  /// The index of the first one; the others follow it.
  package static let indices = 37...39

  /// - Precondition: It is one of ``indices``.
  package static func channel(_ index: Int) -> Self {
    precondition(indices.contains(index), "a primary advertising channel is 37, 38 or 39")
    return Self(rawValue: 1 << (index - indices.lowerBound))
  }
}

/// The PHY of extended advertising (Core Specification, Vol 6 Part B 4.4.2).
///
/// On LE Coded, all packets are coded. Otherwise the primary channels have LE 1M, and this is the PHY of the others.
package enum AdvertisingPHY: String, CaseIterable, Sendable {
  case le1M = "1M"
  case le2M = "2M"
  case coded
}
