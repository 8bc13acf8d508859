/// A mistake in the limits of a device's links or in its preferences for them.
enum LinkMistake: Mistake {
  /// The duration is not a whole number of units: it is longer than this many. The unit is in microseconds.
  case betweenUnits(String, unit: Int, Int)
  case outOfRange(String, unit: Int, ClosedRange<UInt16>)
  case reversedInterval(min: String, max: String)
  /// The least timeout is in units of 10 ms.
  case shortTimeout(least: Int)
  /// No central can announce that it supports Multiple Handle Value Notifications.
  case noClientFeatures
}

extension LinkMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .betweenUnits(let text, let unit, let count):
      (
        "\(text) is not a multiple of \(Self.duration(unit))",
        "\(Self.duration(count * unit)) and \(Self.duration((count + 1) * unit)) are"
      )
    case .outOfRange(let text, let unit, let range):
      (
        "\(text) is not in \(Self.duration(Int(range.lowerBound) * unit))…"
          + Self.duration(Int(range.upperBound) * unit), nil
      )
    case .reversedInterval(let min, let max): ("\(max) is less than the shortest interval, \(min)", nil)
    case .shortTimeout(let least):
      (
        "the link would time out while the peripheral skips as many events as its latency allows",
        "at least \(Self.duration(least * 10_000)): longer than 2 · (latency + 1) · the longest interval"
      )
    case .noClientFeatures:
      (
        "no central can enable Multiple Handle Value Notifications",
        "add { uuid: 2B29, properties: [read, write] } without a 'value' to a service 1801"
      )
    }
  }

  /// Milliseconds, as in `7.5ms`.
  private static func duration(_ microseconds: Int) -> String {
    let fraction = microseconds % 1000
    guard fraction > 0 else { return "\(microseconds / 1000)ms" }
    var digits = String(1000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(microseconds / 1000).\(digits)ms"
  }
}
