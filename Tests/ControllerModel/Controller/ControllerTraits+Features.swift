extension ControllerTraits {
  /// The features of a link layer (Core Specification, Vol 6 Part B 4.6): the bits of LE Read Local Supported Features.
  package struct Features: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let encryption = Self(rawValue: 1 << 0)
    package static let connectionParametersRequest = Self(rawValue: 1 << 1)
    package static let extendedReject = Self(rawValue: 1 << 2)
    package static let peripheralInitiatedFeatures = Self(rawValue: 1 << 3)
    package static let dataLengthExtension = Self(rawValue: 1 << 5)
    package static let privacy = Self(rawValue: 1 << 6)
    package static let extendedScanFilters = Self(rawValue: 1 << 7)
    package static let phy2M = Self(rawValue: 1 << 8)
    package static let phyCoded = Self(rawValue: 1 << 11)
    package static let extendedAdvertising = Self(rawValue: 1 << 12)
    package static let channelSelection2 = Self(rawValue: 1 << 14)

    package static let all: Self = [
      .encryption, .connectionParametersRequest, .extendedReject, .peripheralInitiatedFeatures,
      .dataLengthExtension, .privacy, .extendedScanFilters, .phy2M, .phyCoded, .extendedAdvertising,
      .channelSelection2,
    ]

    /// Eight bytes, the least significant first.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) } }

    /// The PHYs as LE Set PHY has them: bit 0 LE 1M, bit 1 LE 2M, bit 2 LE Coded.
    var phys: UInt8 { 1 | (contains(.phy2M) ? 2 : 0) | (contains(.phyCoded) ? 4 : 0) }
  }
}
