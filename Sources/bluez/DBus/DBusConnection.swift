internal import CDBus
package import EventLoop
internal import Glibc

/// A private connection to a message bus, dispatched by the event loop.
///
/// It lives until ``close()`` or until the bus hangs up, even without references. Messages sent after that are
/// dropped, and calls fail with ``DBusError/disconnected``.
@EventLoop
package final class DBusConnection {
  /// Called once when the bus hangs up, after all pending calls have failed; not after ``close()``.
  package var onDisconnect: (@EventLoop () -> Void)?

  /// The unique name that the bus has assigned, for example `:1.42`.
  package private(set) var uniqueName = ""

  /// Whether messages can still be sent and received.
  package private(set) var isOpen = true

  // Unsafe: the reference is dropped with this object, which may be on any thread; libdbus counts atomically.
  nonisolated(unsafe) let pointer: OpaquePointer
  let source: ConnectionSource
  var pendingCalls: [PendingCall] = []
  var exports = ExportTable()
  var subscriptions: [Subscription] = []
  var nameWatches: [NameWatch] = []
  /// An empty reply to the last caller.
  private var lastReply: DBusMessage?

  private init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
    source = ConnectionSource(pointer)
    dbus_connection_set_exit_on_disconnect(pointer, 0)
    source.attach()
    // The filter keeps this object alive until the connection ends.
    dbus_connection_add_filter(
      pointer, filterMessage, Unmanaged.passRetained(self).toOpaque(), releaseConnection)
  }

  deinit { dbus_connection_unref(pointer) }
}

// MARK: Connecting and closing

extension DBusConnection {
  /// The address of the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or the specification's default.
  nonisolated package static var systemBusAddress: String {
    guard let address = getenv("DBUS_SYSTEM_BUS_ADDRESS"), address.pointee != 0 else {
      return "unix:path=/var/run/dbus/system_bus_socket"
    }
    return String(cString: address)
  }

  /// Connects to a bus, by default the system bus, and waits for the reply to `Hello`.
  ///
  /// - Parameters:
  ///   - address: A D-Bus address, for example `unix:path=/run/dbus/system_bus_socket`.
  ///   - timeout: The time limit for the reply to `Hello`.
  /// - Throws: ``DBusError/cannotConnect(address:detail:)``, or ``DBusError/cancelled``.
  package static func connect(
    to address: String = systemBusAddress, timeout: Duration = .seconds(10)
  ) async throws(DBusError) -> DBusConnection {
    let connection = DBusConnection(adopting: try open(address))
    do throws(DBusError) {
      try await connection.greetBus(timeout: timeout)
      return connection
    } catch .cancelled {
      connection.close()
      throw .cancelled
    } catch {
      connection.close()
      throw .cannotConnect(address: address, detail: error.message)
    }
  }

  /// Closes the connection: removes exported objects and subscriptions, and fails pending calls.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    dbus_connection_close(pointer)
    source.dispatchSoon()
  }

  private static func open(_ address: String) throws(DBusError) -> OpaquePointer {
    dbus_connection_set_change_sigpipe(0)
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let pointer = dbus_connection_open_private(address, &error) else {
      let detail = error.message.map { String(cString: $0) } ?? ""
      throw .cannotConnect(address: address, detail: detail)
    }
    return pointer
  }

  private func greetBus(timeout: Duration) async throws(DBusError) {
    let reply = try await callBus("Hello", timeout: timeout)
    guard let name = reply.first?.string, dbus_bus_set_unique_name(pointer, name) != 0 else {
      throw .unexpectedType(expected: "s", found: reply.first?.signature ?? "")
    }
    uniqueName = name
  }
}

extension DBusConnection {
  /// An empty reply. Most calls come from one caller: to copy the last reply takes a third of the time.
  func makeReply(to call: OpaquePointer) -> DBusMessage {
    if let reply = lastReply?.copied(forReplyTo: call) { return reply }
    let reply = DBusMessage(adopting: allocated(dbus_message_new_method_return(call)))
    lastReply = reply.copy()
    return reply
  }

  /// Handles the end of the connection, which libdbus reports as its last message.
  func connectionEnded() {
    let isHangUp = isOpen
    isOpen = false
    for call in pendingCalls { call.connectionEnded() }
    exports = ExportTable()
    subscriptions = []
    nameWatches = []
    let callback = onDisconnect.take()
    source.detach()
    dbus_connection_remove_filter(
      pointer, filterMessage, Unmanaged.passUnretained(self).toOpaque())
    if isHangUp { callback?() }
  }
}

extension Optional {
  /// Empties the optional and returns what it held.
  mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

private func releaseConnection(_ data: UnsafeMutableRawPointer?) {
  Unmanaged<DBusConnection>.fromOpaque(data!).release()
}

/// Something registered with a connection: an exported object, a subscription, a watched name.
///
/// It lasts as long as this value, whose end removes it from the connection.
package struct Registration: ~Copyable {
  private let end: @EventLoop @Sendable () -> Void

  init(end: @escaping @EventLoop @Sendable () -> Void) { self.end = end }

  deinit { EventLoop.perform(end) }
}
