import EventLoop
import Framing

/// Wakes whoever waits for something to happen, whatever it is; one can wait at a time.
@EventLoop
final class News {
  private var count = 0
  private var waiting: CheckedContinuation<Void, Never>?

  func come() {
    count += 1
    waiting?.resume()
    waiting = nil
  }

  /// Returns when the condition holds, or after `limit`.
  func wait(for limit: Duration, until condition: () -> Bool) async {
    await wait(until: Instant(microseconds: EventLoop.now).advanced(by: limit), or: condition)
  }

  /// Returns when the condition holds, or at `end`.
  func wait(until end: Instant, or condition: () -> Bool) async {
    while true {
      let seen = count
      if condition() || Instant(microseconds: EventLoop.now) >= end { return }
      await wait(until: end, past: seen)
    }
  }

  /// Returns when there is more than what was there when `seen` was asked for, or at `end`.
  private func wait(until end: Instant, past seen: Int) async {
    let timer = EventLoop.Timer { [weak self] in self?.come() }
    timer.fire(at: end.microseconds)
    await withCheckedContinuation { continuation in
      // The loop may have turned on the way in, and news have come with it.
      if count != seen { continuation.resume() } else { waiting = continuation }
    }
    timer.cancel()
  }
}
