extension EventLoop {
  /// Calls its handler once after each ``schedule()``, when the loop is idle.
  ///
  /// For work that must not delay bytes, such as formatting the log. Dropping it cancels it.
  @EventLoop
  package final class IdleCallback {
    private let alarm: Alarm

    package init(_ handler: @escaping @EventLoop () -> Void) { alarm = Alarm(in: .idle, handler) }

    deinit { EventLoop.perform { [alarm] in alarm.cancel() } }

    /// Requests a call. A second request before the call changes nothing.
    package func schedule() {
      if !alarm.isSet { alarm.set(for: 0) }
    }

    /// Cancels the request.
    package func cancel() { alarm.cancel() }
  }
}
