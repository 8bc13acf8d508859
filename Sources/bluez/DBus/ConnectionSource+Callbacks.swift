internal import CDBus
internal import EventLoop

// The callbacks of libdbus; it calls them on the loop's thread.

/// The source that libdbus hands back to its callbacks.
private func withSource(
  _ data: UnsafeMutableRawPointer?, _ body: @EventLoop (ConnectionSource) -> Void
) {
  let source = Unmanaged<ConnectionSource>.fromOpaque(data!).takeUnretainedValue()
  EventLoop.assumeIsolated { body(source) }
}

func addWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
  // Unsafe, here and below: libdbus calls on the loop's thread, where the pointer stays.
  nonisolated(unsafe) let watch = watch!
  withSource(data) { $0.add(watch: watch) }
  return 1
}

func removeWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  nonisolated(unsafe) let watch = watch!
  withSource(data) { $0.remove(watch: watch) }
}

func toggleWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  withSource(data) { $0.updateDescriptor() }
}

func statusChanged(
  _ connection: OpaquePointer?, _ status: DBusDispatchStatus, _ data: UnsafeMutableRawPointer?
) {
  if status == DBUS_DISPATCH_DATA_REMAINS { withSource(data) { $0.dispatchSoon() } }
}

func releaseSource(_ data: UnsafeMutableRawPointer?) {
  Unmanaged<ConnectionSource>.fromOpaque(data!).release()
}
