import EventLoop
import Framing
import Glibc

/// A time of day, for people and files.
package struct WallTime: Hashable, Sendable {
  /// Since 1970-01-01 UTC.
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// `12:01:03.221`, local time.
  package var local: String {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Digits.text("%%:%%:%%.%%%", clock(parts))
  }

  /// `2026-03-01T11:01:03.221Z` (RFC 3339).
  package var utc: String {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    return Digits.text("%%%%-%%-%%T%%:%%:%%.%%%Z", date + clock(parts))
  }

  private func clock(_ parts: tm) -> [Int32] {
    [parts.tm_hour, parts.tm_min, parts.tm_sec, Int32(microseconds / 1000 % 1000)]
  }
}

/// Numbers with leading zeros, in one go.
private enum Digits {
  /// Puts the numbers into the runs of `%`, each as wide as its run.
  static func text(_ pattern: StaticString, _ numbers: [Int32]) -> String {
    let size = pattern.utf8CodeUnitCount
    return String(unsafeUninitializedCapacity: size) { text in
      var numbers = numbers
      var rest: Int32 = 0
      var isInRun = false
      for index in (0..<size).reversed() {
        let letter = pattern.utf8Start[index]
        let isDigit = letter == UInt8(ascii: "%")
        if isDigit, !isInRun { rest = numbers.removeLast() }
        isInRun = isDigit
        text[index] = isDigit ? UInt8(ascii: "0") + UInt8(rest % 10) : letter
        rest /= 10
      }
      return size
    }
  }
}

/// Where the loop's instants lie in the time of day.
struct WallClock: Sendable {
  private let offset: Int64

  init() {
    offset = Self.realTime - EventLoop.now
  }

  var now: WallTime { WallTime(microseconds: Self.realTime) }

  func time(of instant: Instant) -> WallTime { WallTime(microseconds: instant.microseconds + offset) }

  private static var realTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
