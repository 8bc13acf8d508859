internal import CDBus
package import EventLoop

/// A call that waits for its reply.
@EventLoop
package final class PendingCall {
  /// Called with the reply or the error.
  package typealias Completion = @EventLoop (consuming Result<DBusMessage, DBusError>) -> Void

  private let timeout: Duration
  private var completion: Completion?
  private var connection: DBusConnection?
  // Unsafe: used on the loop only; `nil` before and after the wait.
  nonisolated(unsafe) private var pointer: OpaquePointer?

  init(timeout: Duration, completion: @escaping Completion) {
    self.timeout = timeout
    self.completion = completion
  }

  /// Stops waiting: the completion gets ``DBusError/cancelled``. No effect after the call has completed.
  package func cancel() {
    guard let pointer else { return }
    dbus_pending_call_cancel(pointer)
    complete(.failure(.cancelled))
  }
}

extension PendingCall {
  func send(_ message: borrowing DBusMessage, on connection: DBusConnection) {
    let isSent = dbus_connection_send_with_reply(connection.pointer, message.pointer, &pointer, milliseconds)
    guard isSent != 0, let pointer else { return complete(.failure(.disconnected)) }
    // The connection keeps this object as long as libdbus may call it.
    self.connection = connection
    connection.pendingCalls.append(self)
    dbus_pending_call_set_notify(
      pointer, notifyPendingCall, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  /// Fails the call at the end of its connection, because libdbus 1.14 drops pending calls then.
  func connectionEnded() { complete(.failure(.disconnected)) }

  fileprivate func replyArrived() {
    guard let pointer, let reply = dbus_pending_call_steal_reply(pointer) else { return }
    complete(result(DBusMessage(adopting: reply)))
  }

  private func result(_ reply: consuming DBusMessage) -> Result<DBusMessage, DBusError> {
    guard let error = reply.error else { return .success(reply) }
    // The reply that libdbus creates at the time limit has no sender.
    let isTimeout = error.name == ErrorName.noReply && reply.sender == nil
    return .failure(isTimeout ? .timedOut(after: timeout) : error)
  }

  private func complete(_ result: consuming Result<DBusMessage, DBusError>) {
    let completion = completion
    self.completion = nil
    if let pointer { dbus_pending_call_unref(pointer) }
    pointer = nil
    connection?.pendingCalls.removeAll { $0 === self }
    connection = nil
    completion?(result)
  }

  /// The time limit for libdbus, for which the largest number means no limit.
  private var milliseconds: Int32 {
    Int32(clamping: max(1, min(timeout.microseconds / 1000, Int64(Int32.max) - 1)))
  }
}

private func notifyPendingCall(_ call: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  let pending = Unmanaged<PendingCall>.fromOpaque(data!).takeUnretainedValue()
  EventLoop.assumeIsolated { pending.replyArrived() }
}
