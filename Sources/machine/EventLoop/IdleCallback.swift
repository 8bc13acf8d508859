extension EventLoop {
  /// Calls its handler once after each ``schedule()``, when the loop is idle.
  ///
  /// For work that must not delay bytes, such as formatting the log. Dropping it cancels it.
  @EventLoop
  package final class IdleCallback {
    private let task: IdleTask

    package init(_ handler: @escaping @EventLoop () -> Void) { task = IdleTask(handler) }

    deinit { EventLoop.perform { [task] in task.cancel() } }

    /// Requests a call. A second request before the call changes nothing.
    package func schedule() { task.schedule() }

    /// Cancels the request.
    package func cancel() { task.cancel() }
  }
}
