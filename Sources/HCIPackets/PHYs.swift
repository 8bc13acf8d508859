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
