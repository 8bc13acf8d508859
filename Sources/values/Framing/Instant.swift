/// A point in the engine's time: microseconds since an origin that the caller chooses.
///
/// Every layer above gets the time as one of these, so tests can set it. Sums saturate instead of trapping.
package struct Instant: Hashable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64 = 0) {
    self.microseconds = microseconds
  }

  package static func milliseconds(_ milliseconds: Int64) -> Instant {
    Instant(microseconds: milliseconds.clampingMultiplied(by: 1000))
  }

  /// Whole milliseconds since the origin.
  package var milliseconds: Int64 { microseconds / 1000 }
}

extension Instant {
  /// Whole milliseconds from this instant to a later one; ``duration(to:)`` would count in 128 bits.
  package func milliseconds(to later: Instant) -> Int64 {
    later.microseconds.clampingSubtracted(by: microseconds) / 1000
  }

  /// So many milliseconds later.
  package func advanced(milliseconds: Int64) -> Instant {
    Instant(microseconds: microseconds.clampingAdded(to: milliseconds.clampingMultiplied(by: 1000)))
  }
}

extension Instant: InstantProtocol {
  package typealias Duration = Swift.Duration

  package func advanced(by duration: Duration) -> Instant {
    Instant(microseconds: microseconds.clampingAdded(to: duration.wholeMicroseconds))
  }

  package func duration(to other: Instant) -> Duration {
    .microseconds(other.microseconds.clampingSubtracted(by: microseconds))
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Duration {
  /// Truncated to microseconds, and limited to 64 bits.
  package var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.clampingMultiplied(by: 1_000_000)
      .clampingAdded(to: attoseconds / 1_000_000_000_000)
  }

  /// Truncated to milliseconds.
  package var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }

  /// As written in definitions and transcripts: `200ms`, `1.5s`, `2min`, `24h`. Truncated to milliseconds.
  package var written: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    guard seconds != 0 else { return "\(milliseconds)ms" }
    guard milliseconds != 0 else {
      return seconds % 3600 == 0
        ? "\(seconds / 3600)h" : seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
    }
    var digits = String(abs(milliseconds) + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds).\(digits)s"
  }

  /// `0.300`; `0.000` for a negative duration.
  package var inSeconds: String {
    let milliseconds = max(0, wholeMilliseconds)
    return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
  }
}

extension Int64 {
  fileprivate func clampingAdded(to other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }

  fileprivate func clampingSubtracted(by other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  fileprivate func clampingMultiplied(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}
