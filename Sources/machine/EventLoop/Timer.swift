extension EventLoop {
  /// Calls its handler once each time it is set. Setting it again allocates nothing.
  ///
  /// It fires up to a millisecond late, never early. Timers that are due together fire in the order of their
  /// instants. Dropping the timer cancels it.
  @EventLoop
  package final class Timer {
    private let alarm: Alarm

    package init(_ handler: @escaping @EventLoop () -> Void) { alarm = Alarm(in: .shared, handler) }

    deinit { EventLoop.perform { [alarm] in alarm.cancel() } }

    /// Sets the timer; this replaces an earlier setting.
    package func fire(after delay: Duration) { fire(at: EventLoop.now + max(0, delay.microseconds)) }

    /// Sets the timer for an instant of ``EventLoop/now``, in microseconds. For an instant in the past it fires at
    /// once.
    package func fire(at instant: Int64) { alarm.set(for: instant) }

    /// Cancels the setting.
    package func cancel() { alarm.cancel() }
  }

  /// How many timers of the process are set.
  @EventLoop
  package static var timerCount: Int { TimerQueue.shared.count }

  /// Calls `handler` once after `delay`, unless the returned timer is dropped or cancelled before.
  @EventLoop
  package static func after(_ delay: Duration, _ handler: @escaping @EventLoop () -> Void) -> Timer {
    let timer = Timer(handler)
    timer.fire(after: delay)
    return timer
  }
}

extension Duration {
  /// The duration in whole microseconds, rounded up and limited to ±2^60 (36,000 years).
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let limit: Int64 = 1 << 60
    guard abs(seconds) < limit / 1_000_000 else { return seconds < 0 ? -limit : limit }
    let roundedUp = attoseconds > 0 ? (attoseconds + 999_999_999_999) : attoseconds
    return seconds * 1_000_000 + roundedUp / 1_000_000_000_000
  }
}

extension EventLoop {
  /// Waits without blocking the loop.
  @EventLoop
  package static func pause(_ duration: Duration) async {
    var timer: Timer?
    await withCheckedContinuation { continuation in
      timer = after(duration) { continuation.resume() }
    }
    timer?.cancel()
  }
}
