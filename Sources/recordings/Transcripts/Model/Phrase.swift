import Framing

/// Builds parts of messages.
package enum Phrase {
  /// "1 byte", "2 bytes".
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// "300 ms", "2 s to 2.1 s".
  package static func durations(_ range: ClosedRange<Duration>) -> String {
    let least = duration(range.lowerBound)
    return range.lowerBound == range.upperBound ? least : "\(least) to \(duration(range.upperBound))"
  }

  /// "300 ms", "1.5 s", "2 min".
  package static func duration(_ duration: Duration) -> String {
    let microseconds = duration.wholeMicroseconds
    if microseconds % 1000 != 0, microseconds < 10_000_000 {
      return "\(Double(microseconds) / 1000) ms"
    }
    let milliseconds = microseconds / 1000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000) min" }
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
  }
}
