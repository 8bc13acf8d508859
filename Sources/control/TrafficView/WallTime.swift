import EventLoop
import Framing
import Glibc

/// A date and time.
package struct WallTime: Hashable, Sendable {
  /// Microseconds since 1970-01-01 UTC.
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  var second: Int64 { microseconds / 1_000_000 }

  /// `12:01:03.221`, local time.
  package var local: String { text { $0.append(localTime: self) } }

  private func text(_ write: (inout LineBuffer) -> Void) -> String {
    var buffer = LineBuffer()
    write(&buffer)
    return buffer.text
  }
}

extension LineBuffer {
  mutating func append(localTime time: WallTime) {
    if localSecond.number == time.second {
      append(localSecond.text)
    } else {
      localSecond = (time.second, appended { $0.append(localSecond: time.second) })
    }
    append(millisecondsOf: time)
  }

  mutating func append(utcTime time: WallTime) {
    if utcSecond.number == time.second {
      append(utcSecond.text)
    } else {
      utcSecond = (time.second, appended { $0.append(utcSecond: time.second) })
    }
    append(millisecondsOf: time)
    append("Z")
  }

  private mutating func append(localSecond second: Int64) {
    var second = time_t(second)
    var parts = tm()
    localtime_r(&second, &parts)
    append(clock: parts)
  }

  private mutating func append(utcSecond second: Int64) {
    var second = time_t(second)
    var parts = tm()
    gmtime_r(&second, &parts)
    append(Int(parts.tm_year) + 1900, digits: 4)
    append("-")
    append(Int(parts.tm_mon) + 1, digits: 2)
    append("-")
    append(Int(parts.tm_mday), digits: 2)
    append("T")
    append(clock: parts)
  }

  private mutating func append(clock parts: tm) {
    append(Int(parts.tm_hour), digits: 2)
    append(":")
    append(Int(parts.tm_min), digits: 2)
    append(":")
    append(Int(parts.tm_sec), digits: 2)
  }

  private mutating func append(millisecondsOf time: WallTime) {
    append(".")
    append(Int(time.microseconds / 1000 % 1000), digits: 3)
  }
}

/// Converts the loop's instants to wall time.
package struct WallClock: Sendable {
  private let offset: Int64

  /// Compares the clocks now. Later changes of the system's clock have no effect.
  package init() {
    offset = Self.realTime - EventLoop.now
  }

  package var now: WallTime { WallTime(microseconds: Self.realTime) }

  package func time(of instant: Instant) -> WallTime { WallTime(microseconds: instant.microseconds + offset) }

  private static var realTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
