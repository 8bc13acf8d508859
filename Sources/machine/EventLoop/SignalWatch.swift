import CGLib
import Glibc

extension EventLoop {
  /// Calls its handler on the loop for each delivery of a Unix signal, instead of the signal's default action.
  ///
  /// Deliveries in quick succession may cause only one call. Dropping the last watch of a signal restores its
  /// default action.
  @EventLoop
  package final class SignalWatch {
    private let source: Source

    /// - Parameter signal: `SIGHUP`, `SIGINT`, `SIGTERM`, `SIGUSR1`, `SIGUSR2` or `SIGWINCH`, which GLib allows.
    package init(_ signal: Int32, _ handler: @escaping @EventLoop () -> Void) {
      let watched = [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH]
      precondition(watched.contains(signal), "GLib cannot watch signal \(signal)")
      source = Source(adopting: g_unix_signal_source_new(signal), handler: handler)
    }
  }
}
