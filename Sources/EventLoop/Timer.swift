import CGLib

extension EventLoop {
  /// Calls its handler once at each time it is set for; it may be set again and again without allocation.
  ///
  /// Fires up to a millisecond late, never early. Dropping the timer cancels it.
  @EventLoop
  package final class Timer {
    private let source: Source

    package init(_ handler: @escaping @EventLoop () -> Void) {
      source = Source(priority: G_PRIORITY_DEFAULT) { source in
        g_source_set_ready_time(source, -1)
        handler()
      }
    }

    /// Sets the timer, in place of whatever it was set for.
    package func fire(after delay: Duration) {
      fire(at: EventLoop.now + max(0, delay.microseconds))
    }

    /// Sets the timer for an instant of ``EventLoop/now``, in microseconds; one that is past fires at once.
    package func fire(at instant: Int64) { g_source_set_ready_time(source.pointer, gint64(max(0, instant))) }

    /// Forgets what the timer was set for.
    package func cancel() { g_source_set_ready_time(source.pointer, -1) }
  }

  /// Calls `handler` once after `delay`, unless the timer that is returned is dropped or cancelled before.
  @EventLoop
  package static func after(_ delay: Duration, _ handler: @escaping @EventLoop () -> Void) -> Timer {
    let timer = Timer(handler)
    timer.fire(after: delay)
    return timer
  }
}

extension Duration {
  /// The duration in whole microseconds, rounded up and limited to 2^60 (36,000 years) either way.
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let limit: Int64 = 1 << 60
    guard abs(seconds) < limit / 1_000_000 else { return seconds < 0 ? -limit : limit }
    let roundedUp = attoseconds > 0 ? (attoseconds + 999_999_999_999) : attoseconds
    return seconds * 1_000_000 + roundedUp / 1_000_000_000_000
  }
}
