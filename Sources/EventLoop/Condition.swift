/// Wakes a task that waits for something to become true, each time that something changes. One task at a time may wait.
@EventLoop
package final class Condition {
  private var changes = 0
  private var waiting: CheckedContinuation<Void, Never>?

  package init() {}

  /// Something has changed: whoever waits looks again.
  package func signal() {
    changes += 1
    waiting?.resume()
    waiting = nil
  }

  /// Returns when `isTrue` holds, or after `limit`.
  ///
  /// - Returns: whether it holds.
  @discardableResult
  package func wait(for limit: Duration, until isTrue: () -> Bool) async -> Bool {
    await wait(until: EventLoop.now + limit.microseconds, or: isTrue)
  }

  /// Returns when `isTrue` holds, or at a time on the clock of ``EventLoop/now``, microseconds.
  ///
  /// - Returns: whether it holds.
  @discardableResult
  package func wait(until end: Int64, or isTrue: () -> Bool) async -> Bool {
    while true {
      let seen = changes
      if isTrue() { return true }
      if EventLoop.now >= end { return false }
      await waitForChange(since: seen, until: end)
    }
  }

  private func waitForChange(since seen: Int, until end: Int64) async {
    let timer = EventLoop.Timer { [weak self] in self?.signal() }
    timer.fire(at: end)
    await withCheckedContinuation { continuation in
      // Looked up here and not before: the loop may turn on the way into a continuation.
      if changes != seen { continuation.resume() } else { waiting = continuation }
    }
    timer.cancel()
  }
}
