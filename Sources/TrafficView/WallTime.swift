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
    return clock(parts)
  }

  /// `2026-03-01T11:01:03.221Z` (RFC 3339).
  package var utc: String {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))T\(clock(parts))Z"
  }

  private func clock(_ parts: tm) -> String {
    let milliseconds = Int32(microseconds / 1000 % 1000)
    return
      "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)).\(padded(milliseconds, 3))"
  }

  private func padded(_ number: Int32, _ digits: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
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
