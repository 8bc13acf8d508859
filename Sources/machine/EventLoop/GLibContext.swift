import CGLib
import Glibc

/// GLib's default main context, from which signals and the ends of children come.
///
/// For the loop, it is one more user of descriptors: once one of those for which GLib would wait is ready, GLib handles what it
/// has. If GLib waited in each turn instead, a value would cost a tenth more. GLib's own timeouts are not served.
@EventLoop
final class GLibContext {
  static let shared = GLibContext()

  private var watches: [EventLoop.DescriptorWatch] = []

  /// Makes the calling thread the owner of the context, so that sources that other threads attach wake it up.
  func acquire() {
    g_main_context_acquire(nil)
    if watches.isEmpty { watch() }
  }

  nonisolated static func release() { g_main_context_release(nil) }

  private func serve() {
    g_main_context_iteration(nil, 0)
    watch()
  }

  /// Watches the descriptors for which GLib would wait now. One of them is that with which it is woken up, also when the others
  /// change.
  private func watch() {
    let context = g_main_context_default()
    var (priority, timeout) = (gint(0), gint(0))
    // What is ready without a descriptor must not wait for one.
    if g_main_context_prepare(context, &priority) != 0 { g_main_context_wakeup(context) }
    let count = g_main_context_query(context, .max, &timeout, nil, 0)
    var descriptors = [GPollFD](repeating: GPollFD(), count: Int(count))
    g_main_context_query(context, .max, &timeout, &descriptors, count)
    watches = descriptors.map {
      let conditions = EventLoop.Readiness(rawValue: UInt32($0.events))
      return EventLoop.DescriptorWatch($0.fd, for: conditions) { [unowned self] _ in serve() }
    }
  }
}

// MARK: Sources

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
      let function: GSourceFunc = { data in
        Callback.call(data, 0)
        return 1  // Swift does not import G_SOURCE_CONTINUE, a macro with a cast
      }
      source = Source(adopting: g_unix_signal_source_new(signal), function) { _ in handler() }
    }
  }

  /// Calls its handler once, when a child process has ended, and reaps the process.
  ///
  /// If the watch is dropped before that, nothing reaps the process.
  @EventLoop
  package final class ChildWatch {
    private let source: Source

    /// - Parameters:
    ///   - process: a child of this process; no other code may wait for it.
    ///   - handler: gets its wait status, see wait(2).
    package init(_ process: Int32, _ handler: @escaping @EventLoop (Int32) -> Void) {
      let function: GChildWatchFunc = { _, status, data in Callback.call(data, status) }
      // Unsafe: GLib calls the function with the type that belongs to the source.
      source = Source(
        adopting: g_child_watch_source_new(process), unsafeBitCast(function, to: GSourceFunc.self), handler)
    }
  }
}

/// Owns a GLib source and removes it from the context at its own end.
///
/// GLib keeps a running handler alive, so the handler may drop its own source.
private struct Source: ~Copyable {
  private let source: UnsafeMutablePointer<GSource>

  /// Takes over a source from GLib and attaches it.
  ///
  /// - Parameter function: called by the source's dispatch function, with a ``Callback`` of `handler`.
  init(
    adopting source: UnsafeMutablePointer<GSource>, _ function: GSourceFunc,
    _ handler: @escaping @EventLoop (Int32) -> Void
  ) {
    self.source = source
    let callback = Unmanaged.passRetained(Callback(handler))
    g_source_set_callback(
      source, function, callback.toOpaque(), { Unmanaged<Callback>.fromOpaque($0!).release() })
    g_source_attach(source, nil)
    // GLib wakes itself up for a descriptor, but without pidfd_open(2), a child that has ended already has none.
    g_main_context_wakeup(nil)
  }

  deinit {
    g_source_destroy(source)
    g_source_unref(source)
  }
}

/// The handler of a source; GLib releases it with the source.
private final class Callback {
  private let handler: @EventLoop (Int32) -> Void

  init(_ handler: @escaping @EventLoop (Int32) -> Void) { self.handler = handler }

  static func call(_ data: gpointer?, _ status: Int32) {
    // Unsafe: GLib calls this on the loop's thread, where the callback is used and nowhere else.
    nonisolated(unsafe) let callback = Unmanaged<Callback>.fromOpaque(data!).takeUnretainedValue()
    EventLoop.assumeIsolated { callback.handler(status) }
  }
}
