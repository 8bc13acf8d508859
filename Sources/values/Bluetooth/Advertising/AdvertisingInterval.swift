/// The time between two advertising events, in units of 0.625 ms (Core Specification, Vol 4 Part E
/// 7.8.5).
package struct AdvertisingInterval: Hashable, Comparable, Sendable {
  package let units: UInt32

  package init(units: UInt32) {
    self.units = units
  }

  /// Rounds to the nearest unit; nil outside the range of legacy advertising.
  package init?(milliseconds: Double) {
    guard milliseconds >= Self.legacy.lowerBound.milliseconds,
      milliseconds <= Self.legacy.upperBound.milliseconds
    else { return nil }
    units = UInt32(milliseconds / 0.625 + 0.5)
  }

  package var milliseconds: Double { Double(units) * 0.625 }

  /// 20 ms to 10.24 s.
  package static let legacy = Self(units: 0x0020)...Self(units: 0x4000)

  package static func < (left: Self, right: Self) -> Bool { left.units < right.units }
}
