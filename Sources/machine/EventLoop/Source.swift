import CGLib

/// Owns a GLib source and removes it from the loop at its own end.
///
/// GLib keeps a running handler alive, so the handler may drop its own source.
struct Source: ~Copyable {
  private let source: UnsafeMutablePointer<GSource>

  /// Takes over a source from GLib and attaches it.
  ///
  /// - Parameter handler: Called by the source's dispatch function, which takes a plain `GSourceFunc`.
  init(adopting source: UnsafeMutablePointer<GSource>, handler: @escaping @EventLoop () -> Void) {
    self.source = source
    let callback = Unmanaged.passRetained(Callback(handler))
    g_source_set_callback(
      source, callSource, callback.toOpaque(), { Unmanaged<Callback>.fromOpaque($0!).release() })
    g_source_attach(source, nil)
  }

  /// Takes over a source of `g_child_watch_source_new`, whose callback has another type.
  init(
    adoptingChildWatch source: UnsafeMutablePointer<GSource>, handler: @escaping @EventLoop (Int32) -> Void
  ) {
    self.source = source
    let callback = Unmanaged.passRetained(ChildCallback(handler))
    let function: @convention(c) (GPid, gint, gpointer?) -> Void = callChildWatch
    // Unsafe: GLib calls the function with the type that belongs to the source.
    g_source_set_callback(
      source, unsafeBitCast(function, to: GSourceFunc.self), callback.toOpaque(),
      { Unmanaged<ChildCallback>.fromOpaque($0!).release() })
    g_source_attach(source, nil)
  }

  deinit {
    g_source_destroy(source)
    g_source_unref(source)
  }
}

/// The argument of ``callSource(_:)``; GLib releases it with the source.
private final class Callback {
  let handler: @EventLoop () -> Void

  init(_ handler: @escaping @EventLoop () -> Void) { self.handler = handler }
}

/// The argument of ``callChildWatch(_:_:_:)``.
private final class ChildCallback {
  let handler: @EventLoop (Int32) -> Void

  init(_ handler: @escaping @EventLoop (Int32) -> Void) { self.handler = handler }
}

private func callSource(_ data: gpointer?) -> gboolean {
  // Unsafe: GLib calls this on the loop's thread, where the callback is used and nowhere else.
  nonisolated(unsafe) let callback = Unmanaged<Callback>.fromOpaque(data!).takeUnretainedValue()
  EventLoop.assumeIsolated { callback.handler() }
  return 1  // Swift does not import G_SOURCE_CONTINUE, a macro with a cast
}

private func callChildWatch(_ process: GPid, _ status: gint, _ data: gpointer?) {
  // Unsafe: GLib calls this on the loop's thread, where the callback is used and nowhere else.
  nonisolated(unsafe) let callback = Unmanaged<ChildCallback>.fromOpaque(data!).takeUnretainedValue()
  EventLoop.assumeIsolated { callback.handler(status) }
}
