import Framing

/// Durations as people write them: `200ms`, `5s`, `1.5s`, `2min`, `24h`, `7d`.
package enum DurationText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^[0-9]+(\\.[0-9]*)?(ms|s|min|h|d)$"

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

  /// The units, with their milliseconds. `ms` comes before `s`.
  private static let factors: [(unit: String, Double)] = [
    ("ms", 1), ("min", 60_000), ("s", 1000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  private static func milliseconds(_ text: String) -> Double? {
    for (unit, factor) in factors where text.hasSuffix(unit) {
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

  /// The shortest text of a duration in whole units: `24h`, `90min`, `5s`, `1500ms`.
  package static func write(milliseconds: Int64) -> String {
    switch milliseconds {
    case 0: "0s"
    case _ where milliseconds.isMultiple(of: 3_600_000): "\(milliseconds / 3_600_000)h"
    case _ where milliseconds.isMultiple(of: 60_000): "\(milliseconds / 60_000)min"
    case _ where milliseconds.isMultiple(of: 1000): "\(milliseconds / 1000)s"
    default: "\(milliseconds)ms"
    }
  }

  /// The correct spelling of a duration that is spelt differently: `1h` for `1 hour`, `2s` for `2 sec`.
  static func correction(of text: String) -> String? {
    let text = text.trimmed.lowercased().replacing(",", by: ".")
    let number = text.prefix { $0 == "." || ("0"..."9").contains($0) }
    let unit = text.dropFirst(number.count).trimmed
    let written: String
    if ["d", "day", "days"].contains(unit) {
      // In an expression, `1d` is no number, because it may be meant as hex.
      guard let days = Double(number), days < 1e6 else { return nil }
      written = "\(Int(days * 24))h"
    } else {
      guard let unit = units[unit] else { return nil }
      written = "\(number)\(unit)"
    }
    return parse(written) == nil ? nil : written
  }

  private static let units: [String: String] = {
    var units: [String: String] = [:]
    for word in ["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"] { units[word] = "ms" }
    for word in ["s", "sec", "secs", "second", "seconds"] { units[word] = "s" }
    for word in ["m", "min", "mins", "minute", "minutes"] { units[word] = "min" }
    for word in ["h", "hour", "hours", "hr", "hrs"] { units[word] = "h" }
    return units
  }()
}
