import CGLib

/// Owns a GLib source; its end removes the source from the loop.
///
/// GLib keeps the closure alive while it runs, so a handler may drop its own source.
struct Source: ~Copyable {
  let pointer: UnsafeMutablePointer<GSource>

  /// A source that is silent until it is given a ready time or a file descriptor.
  init(priority: Int32, handler: @escaping SourceHandler) {
    pointer = makeSource(priority: priority, handler: handler)
  }

  /// Attaches a source made by GLib that calls a plain `GSourceFunc`.
  init(attaching source: UnsafeMutablePointer<GSource>, handler: @escaping SourceHandler) {
    pointer = source
    attach(source, handler: handler)
  }

  deinit {
    g_source_destroy(pointer)
    g_source_unref(pointer)
  }
}

typealias SourceHandler = @EventLoop (UnsafeMutablePointer<GSource>) -> Void

/// Makes a source that calls `handler` whenever its ready time has come or a descriptor of it is ready.
func makeSource(priority: Int32, handler: @escaping SourceHandler) -> UnsafeMutablePointer<GSource> {
  let source = g_source_new(sourceFunctions, UInt32(MemoryLayout<GSource>.size))!
  g_source_set_priority(source, priority)
  attach(source, handler: handler)
  return source
}

private func attach(_ source: UnsafeMutablePointer<GSource>, handler: @escaping SourceHandler) {
  let callback = Unmanaged.passRetained(Callback(source: source, handler: handler))
  g_source_set_callback(
    source, callSource, callback.toOpaque(), { Unmanaged<Callback>.fromOpaque($0!).release() })
  g_source_attach(source, nil)
}

/// What GLib hands back to ``callSource(_:)``; released by GLib with the source.
private final class Callback {
  let source: UnsafeMutablePointer<GSource>
  let handler: SourceHandler

  init(source: UnsafeMutablePointer<GSource>, handler: @escaping SourceHandler) {
    self.source = source
    self.handler = handler
  }
}

private func callSource(_ data: gpointer?) -> gboolean {
  // Unsafe: GLib calls this on the loop's thread, where the callback is used and nowhere else.
  nonisolated(unsafe) let callback = Unmanaged<Callback>.fromOpaque(data!).takeUnretainedValue()
  EventLoop.assumeIsolated { callback.handler(callback.source) }
  return 1  // G_SOURCE_CONTINUE, a macro with a cast, is not imported
}

// Unsafe: GLib wants a mutable pointer but only reads through it.
nonisolated(unsafe) private let sourceFunctions = {
  let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
  functions.initialize(to: GSourceFuncs())
  functions.pointee.dispatch = { _, callback, data in callback!(data) }
  return functions
}()
