internal import CDBus
internal import EventLoop

/// Called by libdbus with each message that is not a reply.
func filterMessage(
  _ connection: OpaquePointer?, _ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
  let connection = Unmanaged<DBusConnection>.fromOpaque(data!).takeUnretainedValue()
  // Unsafe: libdbus calls on the loop's thread, where the pointer stays.
  nonisolated(unsafe) let message = message!
  EventLoop.assumeIsolated { connection.receive(message) }
  let isCall = dbus_message_get_type(message) == MessageType.methodCall
  return isCall ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
}

extension DBusConnection {
  fileprivate func receive(_ message: OpaquePointer) {
    switch dbus_message_get_type(message) {
    case MessageType.methodCall where isOpen: receive(call: message)
    case MessageType.signal: receive(signal: message)
    default: break
    }
  }

  private func receive(call message: OpaquePointer) {
    let call = MethodCall(connection: pointer, message: message, cameAfter: source.quietUntil)
    if let handler = exports.handler(for: call.path) {
      handler(call)
    } else {
      answerWithoutObject(call)
    }
  }

  private func receive(signal message: OpaquePointer) {
    if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
      return connectionEnded()
    }
    let signal = DBusMessage(retaining: message)
    for subscription in subscriptions where isOpen && subscription.matches(signal) {
      subscription.handler(signal)
    }
  }
}

/// The types of messages, as the specification numbers them.
private enum MessageType {
  static let methodCall: Int32 = 1
  static let signal: Int32 = 4
}
