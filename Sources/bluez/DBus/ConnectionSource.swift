internal import CDBus
internal import EventLoop
internal import Glibc

/// Connects one libdbus connection to the event loop: its descriptor and its message queue. It has no time limits
/// (``PendingCall``).
@EventLoop
final class ConnectionSource {
  // Unsafe: used on the loop only; the connection outlives this object, which it detaches.
  nonisolated(unsafe) private let connection: OpaquePointer
  private var watches: [OpaquePointer] = []
  private var descriptor: EventLoop.DescriptorWatch?
  private var isDispatching = false
  /// Whether all input had been read at the last check of the descriptor.
  private var isDrained = true
  /// An instant before the messages now being dispatched arrived, on the clock of ``EventLoop/now``.
  private(set) var quietUntil = EventLoop.now
  private lazy var later = EventLoop.Timer { [weak self] in self?.dispatch() }

  init(_ connection: OpaquePointer) { self.connection = connection }
}

extension ConnectionSource {
  /// Takes over the dispatching of the connection.
  func attach() {
    dbus_connection_set_watch_functions(
      connection, addWatch, removeWatch, toggleWatch, retained(), releaseSource)
    dbus_connection_set_dispatch_status_function(connection, statusChanged, retained(), releaseSource)
    dispatchSoon()
  }

  /// Stops dispatching the connection for good.
  func detach() {
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
  }

  /// Dispatches the queue after the current callback.
  func dispatchSoon() {
    if !isDispatching { later.fire(after: .zero) }
  }

  /// Handles messages until the queue is empty.
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
  func add(watch: OpaquePointer) {
    watches.append(watch)
    updateDescriptor()
  }

  func remove(watch: OpaquePointer) {
    watches.removeAll { $0 == watch }
    updateDescriptor()
  }

  /// Watches the connection's descriptor for the conditions that libdbus now asks for.
  ///
  /// libdbus asks for writability with each message that it sends, and then stops asking.
  func updateDescriptor() {
    // Not [], here and below: Swift would create it anew every time, in 2,000 instructions.
    var interests = EventLoop.Readiness(rawValue: 0)
    for watch in watches where dbus_watch_get_enabled(watch) != 0 {
      interests.formUnion(Self.interests(of: watch))
    }
    if interests.isEmpty {
      descriptor = nil
    } else if let descriptor {
      descriptor.interests = interests
    } else {
      descriptor = EventLoop.DescriptorWatch(dbus_watch_get_unix_fd(watches[0]), for: interests) {
        [weak self] in self?.handle($0)
      }
    }
  }

  private func handle(_ readiness: EventLoop.Readiness) {
    if isDrained { quietUntil = EventLoop.previousLook }
    isDispatching = true
    for watch in watches { handle(watch, readiness) }
    isDispatching = false
    isDrained = unreadCount == 0
    dispatch()
  }

  /// libdbus reads about 4 KiB at a time.
  private var unreadCount: Int32 {
    var count: Int32 = 0
    guard let watch = watches.first else { return 0 }
    return ioctl(dbus_watch_get_unix_fd(watch), UInt(FIONREAD), &count) == 0 ? count : 0
  }

  private func handle(_ watch: OpaquePointer, _ readiness: EventLoop.Readiness) {
    // The previous watch may have ended the connection, and with it this watch.
    guard watches.contains(watch), dbus_watch_get_enabled(watch) != 0 else { return }
    let failure = DBUS_WATCH_HANGUP.rawValue | DBUS_WATCH_ERROR.rawValue
    let flags = Self.flags(for: readiness) & (dbus_watch_get_flags(watch) | failure)
    if flags != 0 { dbus_watch_handle(watch, flags) }
  }

  private static func interests(of watch: OpaquePointer) -> EventLoop.Readiness {
    let flags = dbus_watch_get_flags(watch)
    var interests = EventLoop.Readiness(rawValue: 0)
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { interests.insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interests.insert(.writable) }
    return interests
  }

  private static func flags(for readiness: EventLoop.Readiness) -> UInt32 {
    var flags: UInt32 = 0
    if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if readiness.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
    if readiness.rawValue & EventLoop.Readiness.error.rawValue != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
    return flags
  }
}
