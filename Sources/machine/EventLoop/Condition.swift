/// Lets a task wait for something to become true: after each change, the task checks again. One task may wait at a
/// time.
@EventLoop
package final class Condition {
  private var changes = 0
  private var waiting: CheckedContinuation<Void, Never>?

  package init() {}

  /// Makes the waiting task check again after a change.
  package func signal() {
    changes += 1
    waiting?.resume()
    waiting = nil
  }

  /// Waits until `isTrue` returns true, or for `limit`.
  ///
  /// - Returns: whether it is true.
  @discardableResult
  package func wait(for limit: Duration, until isTrue: () -> Bool) async -> Bool {
    await wait(until: EventLoop.now + limit.microseconds, or: isTrue)
  }

  /// Waits until `isTrue` returns true, or until an instant on the clock of ``EventLoop/now``, microseconds.
  ///
  /// - Returns: whether it is true.
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
      // Checked only here: the loop may run other jobs before the continuation exists.
      if changes != seen { continuation.resume() } else { waiting = continuation }
    }
    timer.cancel()
  }
}
