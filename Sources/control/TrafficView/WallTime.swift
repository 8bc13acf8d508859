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

/// The text of a second, up to the point before its milliseconds.
struct FormattedSecond {
  typealias Text = InlineArray<20, UInt8>

  var number = Int64.min
  var isLocal = false
  /// The first ``size`` bytes are the text.
  fileprivate var text = Text(repeating: 0)
  fileprivate var size = 0
}

extension LineBuffer {
  mutating func append(localTime time: WallTime) { append(time, isLocal: true) }

  mutating func append(utcTime time: WallTime) {
    append(time, isLocal: false)
    append("Z")
  }

  private mutating func append(_ time: WallTime, isLocal: Bool) {
    if second.number != time.second || second.isLocal != isLocal { format(time.second, isLocal) }
    let (second, milliseconds) = (second, UInt16(truncatingIfNeeded: time.microseconds / 1000 % 1000))
    append(atMost: MemoryLayout<FormattedSecond.Text>.size + 3) { memory, place in
      var bytes = memory.mutableBytes
      bytes.storeBytes(of: second.text, toByteOffset: place, as: FormattedSecond.Text.self)
      let end = place + second.size
      memory[end] = UInt8(ascii: "0") + UInt8(milliseconds / 100)
      memory[end + 1] = UInt8(ascii: "0") + UInt8(milliseconds / 10 % 10)
      memory[end + 2] = UInt8(ascii: "0") + UInt8(milliseconds % 10)
      return end + 3
    }
  }

  private mutating func format(_ number: Int64, _ isLocal: Bool) {
    let text = text {
      if isLocal { $0.append(localSecond: number) } else { $0.append(utcSecond: number) }
      $0.append(".")
    }
    second = FormattedSecond(
      number: number, isLocal: isLocal, text: .init { $0 < text.count ? text[$0] : 0 }, size: text.count)
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
