import CGLib

extension EventLoop {
  /// Calls its handler once, when a child process has ended, and takes the process off the system's table.
  ///
  /// Dropping the watch before leaves the process to nobody.
  @EventLoop
  package final class ChildWatch {
    private let source: Source

    /// - Parameters:
    ///   - process: a child of this process that nobody else waits for.
    ///   - handler: takes its wait status, see wait(2).
    package init(_ process: Int32, _ handler: @escaping @EventLoop (Int32) -> Void) {
      source = Source(adoptingChildWatch: g_child_watch_source_new(process), handler: handler)
    }
  }
}
