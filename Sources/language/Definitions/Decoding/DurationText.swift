import Framing

/// Durations as people write them: `200ms`, `5s`, `1.5s`, `2min`.
package enum DurationText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^[0-9]+(\\.[0-9]*)?(ms|s|min)$"

  /// Milliseconds; nil for any other text.
  package static func parse(_ text: String) -> Int? { parse(text, perMillisecond: 1) }

  /// The number of milliseconds in each unit.
  package static func parse(_ text: String, perMillisecond units: Double) -> Int? {
    guard let milliseconds = milliseconds(text), milliseconds <= longest else { return nil }
    return Int((milliseconds * units).rounded())
  }

  /// Whether a text is longer than any duration can be.
  static func isTooLong(_ text: String) -> Bool { milliseconds(text).map { $0 > longest } ?? false }

  /// Milliseconds.
  private static let longest = 1e12

  private static func milliseconds(_ text: String) -> Double? {
    for (unit, factor) in [("ms", 1.0), ("min", 60_000), ("s", 1000)] where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count)
      guard number.allSatisfy({ $0 == "." || ("0"..."9").contains($0) }), number.first != ".",
        let value = Double(number)
      else {
        return nil
      }
      return value * factor
    }
    return nil
  }

  /// The shortest text of a duration in whole units: `120min`, `5s`, `1500ms`.
  package static func write(milliseconds: Int64) -> String {
    switch milliseconds {
    case 0: "0s"
    case _ where milliseconds.isMultiple(of: 60_000): "\(milliseconds / 60_000)min"
    case _ where milliseconds.isMultiple(of: 1000): "\(milliseconds / 1000)s"
    default: "\(milliseconds)ms"
    }
  }

  /// The correct spelling of a duration that is spelt differently: `60min` for `1h`, `2s` for `2 sec`.
  static func correction(of text: String) -> String? {
    let text = text.trimmed.lowercased().replacing(",", by: ".")
    let number = text.prefix { $0 == "." || ("0"..."9").contains($0) }
    guard let unit = units[text.dropFirst(number.count).trimmed], let value = Double(number), value < 1e6
    else {
      return nil
    }
    let whole = unit.factor == 1 ? String(number) : "\(Int(value * unit.factor))"
    let written = whole + unit.name
    return parse(written) == nil ? nil : written
  }

  private static let units: [String: (name: String, factor: Double)] = {
    var units: [String: (name: String, factor: Double)] = ["h": ("min", 60), "d": ("min", 1440)]
    for word in ["hour", "hours", "hr", "hrs"] { units[word] = ("min", 60) }
    for word in ["day", "days"] { units[word] = ("min", 1440) }
    for word in ["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"] { units[word] = ("ms", 1) }
    for word in ["s", "sec", "secs", "second", "seconds"] { units[word] = ("s", 1) }
    for word in ["m", "min", "mins", "minute", "minutes"] { units[word] = ("min", 1) }
    return units
  }()
}
