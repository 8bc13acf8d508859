import DeviceModel
import Framing

/// The starts of a device, from which it counts the time.
struct Life: Sendable {
  /// When the device started.
  private var start: Instant?
  /// When it started or was last reset.
  private var lastStart: Instant?
  private(set) var resetCount = 0

  mutating func begin(at now: Instant) { (start, lastStart) = (now, now) }

  mutating func beginAgain(at now: Instant) {
    lastStart = now
    resetCount += 1
  }

  /// Gives expressions their time.
  func setTime(of context: inout EvaluationContext, to now: Instant, startingAt unixTime: Int64) {
    context.uptime = milliseconds(since: lastStart, now)
    context.unixTime = unixTime + milliseconds(since: start, now) / 1000
  }

  private func milliseconds(since instant: Instant?, _ now: Instant) -> Int64 {
    instant.map { max(0, $0.milliseconds(to: now)) } ?? 0
  }
}
