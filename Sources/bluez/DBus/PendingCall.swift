internal import CDBus
package import EventLoop

/// A call that waits for its reply. libdbus could wait, too; but it then makes the error of its time limit with each call.
@EventLoop
package final class PendingCall {
  /// Called with the reply or the error.
  package typealias Completion = @EventLoop (consuming Result<DBusMessage, DBusError>) -> Void

  private let timeout: Duration
  private var completion: Completion?
  private var connection: DBusConnection?
  private var limit: EventLoop.Timer?
  /// The number of the call, which the reply repeats.
  private(set) var serial: UInt32 = 0

  init(timeout: Duration, completion: @escaping Completion) {
    self.timeout = timeout
    self.completion = completion
  }

  /// Stops waiting: the completion gets ``DBusError/cancelled``. No effect after the call has completed.
  package func cancel() { complete(.failure(.cancelled)) }
}

extension PendingCall {
  func send(_ message: borrowing DBusMessage, on connection: DBusConnection) {
    let isConnected = connection.isOpen && dbus_connection_get_is_connected(connection.pointer) != 0
    guard isConnected, dbus_connection_send(connection.pointer, message.pointer, &serial) != 0 else {
      return complete(.failure(.disconnected))
    }
    self.connection = connection
    connection.pendingCalls.append(self)
    limit = EventLoop.after(timeout) { [weak self] in
      guard let self else { return }
      complete(.failure(.timedOut(after: timeout)))
    }
  }

  func connectionEnded() { complete(.failure(.disconnected)) }

  func replyArrived(_ reply: consuming DBusMessage) {
    if let error = reply.error { complete(.failure(error)) } else { complete(.success(reply)) }
  }

  private func complete(_ result: consuming Result<DBusMessage, DBusError>) {
    limit = nil
    connection?.pendingCalls.removeAll { $0 === self }
    connection = nil
    completion.take()?(result)
  }
}
