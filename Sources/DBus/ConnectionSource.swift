internal import CDBus
internal import EventLoop

/// Puts one libdbus connection on the event loop: its descriptor, its time limits, its queue of messages.
@EventLoop
final class ConnectionSource {
  // Unsafe: used on the loop only; the connection outlives this object, which it detaches.
  nonisolated(unsafe) private let connection: OpaquePointer
  private var watches: [OpaquePointer: EventLoop.DescriptorWatch] = [:]
  private var timers: [OpaquePointer: EventLoop.Timer] = [:]
  private var isDispatching = false
  private lazy var later = EventLoop.Timer { [weak self] in self?.dispatch() }

  init(_ connection: OpaquePointer) { self.connection = connection }
}

extension ConnectionSource {
  /// Takes the connection over from whoever dispatched it.
  func attach() {
    dbus_connection_set_watch_functions(
      connection, addWatch, removeWatch, toggleWatch, retained(), release)
    dbus_connection_set_timeout_functions(
      connection, addTimeout, removeTimeout, toggleTimeout, retained(), release)
    dbus_connection_set_dispatch_status_function(connection, statusChanged, retained(), release)
    dispatchSoon()
  }

  /// Leaves the connection alone, for good.
  func detach() {
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
  }

  /// Dispatches what is queued after the callback at hand.
  func dispatchSoon() {
    if !isDispatching { later.fire(at: 0) }
  }

  /// Handles messages until none remains.
  private func dispatch() {
    guard !isDispatching else { return }
    isDispatching = true
    while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
    isDispatching = false
  }

  private func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
}

// MARK: Descriptors

extension ConnectionSource {
  fileprivate func update(_ watch: OpaquePointer) {
    guard dbus_watch_get_enabled(watch) != 0 else {
      watches[watch] = nil
      return
    }
    watches[watch] = EventLoop.DescriptorWatch(
      dbus_watch_get_unix_fd(watch), for: Self.interests(of: watch)
    ) { [weak self] in self?.handle(watch, $0) }
  }

  fileprivate func remove(watch: OpaquePointer) { watches[watch] = nil }

  private func handle(_ watch: OpaquePointer, _ readiness: EventLoop.Readiness) {
    isDispatching = true
    dbus_watch_handle(watch, Self.flags(for: readiness))
    isDispatching = false
    dispatch()
  }

  private static func interests(of watch: OpaquePointer) -> EventLoop.Readiness {
    let flags = dbus_watch_get_flags(watch)
    var interests: EventLoop.Readiness = []
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { interests.insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interests.insert(.writable) }
    return interests
  }

  private static func flags(for readiness: EventLoop.Readiness) -> UInt32 {
    var flags: UInt32 = 0
    if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if readiness.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
    if !readiness.isDisjoint(with: .error) { flags |= DBUS_WATCH_ERROR.rawValue }
    return flags
  }
}

// MARK: Time limits

extension ConnectionSource {
  fileprivate func update(timeout: OpaquePointer) {
    guard dbus_timeout_get_enabled(timeout) != 0 else {
      timers[timeout] = nil
      return
    }
    let interval = Duration.milliseconds(dbus_timeout_get_interval(timeout))
    timers[timeout] = EventLoop.after(interval) { [weak self] in self?.handle(timeout: timeout) }
  }

  fileprivate func remove(timeout: OpaquePointer) { timers[timeout] = nil }

  /// libdbus's time limits repeat until they are removed.
  private func handle(timeout: OpaquePointer) {
    let interval = Duration.milliseconds(dbus_timeout_get_interval(timeout))
    timers[timeout]?.fire(after: interval)
    dbus_timeout_handle(timeout)
    dispatch()
  }
}

// MARK: What libdbus calls

/// The source that libdbus hands back to its callbacks.
private func withSource(
  _ data: UnsafeMutableRawPointer?, _ body: @EventLoop (ConnectionSource) -> Void
) {
  let source = Unmanaged<ConnectionSource>.fromOpaque(data!).takeUnretainedValue()
  EventLoop.assumeIsolated { body(source) }
}

private func addWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
  toggleWatch(watch, data)
  return 1
}

private func removeWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  // Unsafe, here and below: libdbus calls on the loop's thread, where the pointer stays.
  nonisolated(unsafe) let watch = watch!
  withSource(data) { $0.remove(watch: watch) }
}

private func toggleWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  nonisolated(unsafe) let watch = watch!
  withSource(data) { $0.update(watch) }
}

private func addTimeout(_ timeout: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
  toggleTimeout(timeout, data)
  return 1
}

private func removeTimeout(_ timeout: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  nonisolated(unsafe) let timeout = timeout!
  withSource(data) { $0.remove(timeout: timeout) }
}

private func toggleTimeout(_ timeout: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  nonisolated(unsafe) let timeout = timeout!
  withSource(data) { $0.update(timeout: timeout) }
}

private func statusChanged(
  _ connection: OpaquePointer?, _ status: DBusDispatchStatus, _ data: UnsafeMutableRawPointer?
) {
  if status == DBUS_DISPATCH_DATA_REMAINS { withSource(data) { $0.dispatchSoon() } }
}

private func release(_ data: UnsafeMutableRawPointer?) {
  Unmanaged<ConnectionSource>.fromOpaque(data!).release()
}
