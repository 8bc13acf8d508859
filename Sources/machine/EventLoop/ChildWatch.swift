import CGLib

extension EventLoop {
  /// Calls its handler once, when a child process has ended, and reaps the process.
  ///
  /// If the watch is dropped before that, nothing reaps the process.
  @EventLoop
  package final class ChildWatch {
    private let source: Source
    /// All watches. GLib waits for each child with its own file descriptor.
    private(set) static var count = 0

    /// - Parameters:
    ///   - process: a child of this process; no other code may wait for it.
    ///   - handler: gets its wait status, see wait(2).
    package init(_ process: Int32, _ handler: @escaping @EventLoop (Int32) -> Void) {
      source = Source(adoptingChildWatch: g_child_watch_source_new(process), handler: handler)
      Self.count += 1
    }

    deinit { EventLoop.perform { Self.count -= 1 } }
  }
}
