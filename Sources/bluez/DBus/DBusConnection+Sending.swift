internal import CDBus
package import EventLoop

extension DBusConnection {
  /// Calls a method and waits for its reply without blocking the loop.
  ///
  /// - Parameter timeout: The time limit.
  /// - Returns: The arguments of the reply.
  /// - Throws: ``DBusError/remote(name:message:)`` for an error reply, ``DBusError/timedOut(after:)``,
  ///   ``DBusError/disconnected``, ``DBusError/cancelled`` if the task was, ``DBusError/invalid(what:value:)``.
  package func call(
    destination: String, path: ObjectPath, interface: String, member: String,
    _ arguments: [DBusValue] = [], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await ask(
      destination: destination, path: path, interface: interface, member: member, arguments,
      timeout: timeout
    ).arguments()
  }

  /// The reply to a call.
  @EventLoop
  package final class Reply {
    private let message: DBusMessage

    fileprivate init(_ message: consuming DBusMessage) { self.message = message }

    /// The unique name of the program that answered, which the bus guarantees.
    package var sender: String { message.sender ?? "" }

    /// A reader that is at the first argument.
    package func reader() -> MessageReader { message.reader() }

    fileprivate func arguments() throws(DBusError) -> [DBusValue] { try message.arguments() }
  }

  /// Calls a method like ``call(destination:path:interface:member:_:timeout:)``, for a reply that is read where it is.
  package func ask(
    destination: String, path: ObjectPath, interface: String, member: String,
    _ arguments: [DBusValue] = [], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> Reply {
    let message = try DBusMessage.methodCall(
      destination: destination, path: path, interface: interface, member: member,
      arguments: arguments)
    let reply = Promise<Answer>()
    let pending = send(message, timeout: timeout) { reply.fulfil(Self.answer(in: $0)) }
    let result = await withTaskCancellationHandler {
      await reply.value()
    } onCancel: {
      EventLoop.start { pending.cancel() }
    }
    switch result {
    case .reply(let reply): return reply
    case .error(let error): throw error
    }
  }

  /// Not a `Result`: the first one of a type of error takes as long as three values.
  private enum Answer: Sendable {
    case reply(Reply)
    case error(DBusError)
  }

  /// Sends a call and passes its reply or its failure to `completion`, on the loop and exactly once.
  ///
  /// On a closed connection `completion` is called before this function returns.
  @discardableResult
  package func send(
    _ call: borrowing DBusMessage, timeout: Duration, completion: @escaping PendingCall.Completion
  ) -> PendingCall {
    let pending = PendingCall(timeout: timeout, completion: completion)
    pending.send(call, on: self)
    return pending
  }

  /// Sends a message that needs no reply.
  package func send(_ message: borrowing DBusMessage) {
    dbus_message_set_no_reply(message.pointer, 1)
    dbus_connection_send(pointer, message.pointer, nil)
  }

  /// Emits a signal to all subscribers.
  ///
  /// - Throws: ``DBusError/invalid(what:value:)`` for a name or an argument that cannot be sent.
  package func emitSignal(
    path: ObjectPath, interface: String, member: String, _ arguments: [DBusValue] = []
  ) throws(DBusError) {
    send(try .signal(path: path, interface: interface, member: member, arguments: arguments))
  }

  /// Calls a method of the bus itself.
  package func callBus(
    _ member: String, _ arguments: [DBusValue] = [], timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await call(
      destination: Bus.name, path: Bus.path, interface: Bus.name, member: member, arguments,
      timeout: timeout)
  }

  private static func answer(in result: consuming Result<DBusMessage, DBusError>) -> Answer {
    do throws(DBusError) {
      return .reply(Reply(try result.get()))
    } catch {
      return .error(error)
    }
  }
}

/// The bus's own path and name; its interface has the same name.
enum Bus {
  static let name = "org.freedesktop.DBus"
  static let path: ObjectPath = "/org/freedesktop/DBus"
}
