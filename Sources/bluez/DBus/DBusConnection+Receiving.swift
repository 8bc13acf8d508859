internal import CDBus
internal import EventLoop

/// Called by libdbus with each message.
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
    case MessageType.methodReturn, MessageType.error: receive(reply: message)
    case MessageType.signal: receive(signal: message)
    default: break
    }
  }

  private func receive(call message: OpaquePointer) {
    let call = MethodCall(connection: self, message: message, cameAfter: source.quietUntil)
    switch exports.target(at: dbus_message_get_path(message)) {
    case .object(let object): object.answer(call) { exports.children(of: object.path) }
    case .handler(let handler): handler(call)
    case nil: answerWithoutObject(call)
    }
  }

  private func receive(reply message: OpaquePointer) {
    let serial = dbus_message_get_reply_serial(message)
    guard let call = pendingCalls.first(where: { $0.serial == serial }) else { return }
    call.replyArrived(DBusMessage(retaining: message))
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
  static let methodReturn: Int32 = 2
  static let error: Int32 = 3
  static let signal: Int32 = 4
}
