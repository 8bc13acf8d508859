/// Mistakes in the limits of a device's links or in its preferences for them.
extension Mistake {
  static func betweenUnits(_ text: String, unit: Int, _ count: Int) -> Self {
    Self(
      "\(text) is not a multiple of \(duration(unit))",
      "\(duration(count * unit)) and \(duration((count + 1) * unit)) are")
  }
  static func outOfRange(_ text: String, unit: Int, _ range: ClosedRange<UInt16>) -> Self {
    Self(
      "\(text) is not in \(duration(Int(range.lowerBound) * unit))…" + duration(Int(range.upperBound) * unit))
  }
  static func reversedInterval(min: String, max: String) -> Self {
    Self("\(max) is less than the shortest interval, \(min)")
  }
  static func shortTimeout(least: Int) -> Self {
    Self(
      "the link would time out while the peripheral skips as many events as its latency allows",
      "at least \(duration(least * 10_000)): longer than 2 · (latency + 1) · the longest interval")
  }
  static let neverFull = Self(
    "the device is never full: any number of centrals may connect", "add the number: 'centrals: 1'")
  static let noClientFeatures = Self(
    "no central can enable Multiple Handle Value Notifications",
    "add { uuid: 2B29, properties: [read, write] } without a 'value' to a service 1801")

  /// Milliseconds, as in `7.5ms`.
  private static func duration(_ microseconds: Int) -> String {
    let fraction = microseconds % 1000
    guard fraction > 0 else { return "\(microseconds / 1000)ms" }
    var digits = String(1000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(microseconds / 1000).\(digits)ms"
  }
}
