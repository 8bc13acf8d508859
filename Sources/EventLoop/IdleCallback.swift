extension EventLoop {
  /// Calls its handler once, after each ``schedule()``, when the loop has nothing else to do.
  ///
  /// For work that must not delay bytes: formatting what is shown. Dropping it cancels it.
  @EventLoop
  package final class IdleCallback {
    private let task: IdleTask

    package init(_ handler: @escaping @EventLoop () -> Void) { task = IdleTask(handler) }

    deinit { EventLoop.perform { [task] in task.cancel() } }

    /// Asks for a call; asking again before the call changes nothing.
    package func schedule() { task.schedule() }

    /// Takes back what was asked.
    package func cancel() { task.cancel() }
  }
}
