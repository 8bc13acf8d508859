/// Durations as people write them: `200ms`, `5s`, `1.5s`, `2min`.
package enum DurationText {
  /// Its pattern in a JSON Schema.
  static let pattern = "^[0-9]+(\\.[0-9]*)?(ms|s|min)$"

  /// Milliseconds; nil when the text is none.
  package static func parse(_ text: String) -> Int? { parse(text, perMillisecond: 1) }

  /// Units of which a millisecond has so many.
  static func parse(_ text: String, perMillisecond units: Double) -> Int? {
    for (unit, factor) in [("ms", 1.0), ("min", 60_000), ("s", 1000)] where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count)
      guard number.allSatisfy({ $0 == "." || ("0"..."9").contains($0) }), number.first != ".",
        let value = Double(number), value * factor <= 1e12
      else {
        return nil
      }
      return Int((value * factor * units).rounded())
    }
    return nil
  }
}
