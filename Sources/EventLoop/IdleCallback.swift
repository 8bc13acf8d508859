import CGLib

extension EventLoop {
  /// Calls its handler once, after each ``schedule()``, when the loop has nothing else to do.
  ///
  /// For work that must not delay bytes: formatting what is shown. Dropping it cancels it.
  @EventLoop
  package final class IdleCallback {
    private let source: Source

    package init(_ handler: @escaping @EventLoop () -> Void) {
      source = Source(priority: G_PRIORITY_DEFAULT_IDLE) { source in
        g_source_set_ready_time(source, -1)
        handler()
      }
    }

    /// Asks for a call; asking again before the call changes nothing.
    package func schedule() { g_source_set_ready_time(source.pointer, 0) }

    /// Takes back what was asked.
    package func cancel() { g_source_set_ready_time(source.pointer, -1) }
  }
}
