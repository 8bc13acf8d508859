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

  /// Returns when something has happened, or at `end`.
  func wait(until end: Instant) async {
    let before = count
    let timer = EventLoop.Timer { [weak self] in self?.come() }
    timer.fire(at: end.microseconds)
    await withCheckedContinuation { continuation in
      // Asked here and not before: the loop may turn on the way in, and news come with it.
      if count != before { continuation.resume() } else { waiting = continuation }
    }
    timer.cancel()
  }

  /// Returns when the condition holds, or after `limit`.
  func wait(for limit: Duration, until condition: () -> Bool) async {
    let end = Instant(microseconds: EventLoop.now).advanced(by: limit)
    while !condition(), Instant(microseconds: EventLoop.now) < end { await wait(until: end) }
  }
}
