internal import CDBus
package import EventLoop
internal import Glibc

/// A received method call, which must be answered exactly once: each way to answer consumes it.
///
/// It may be kept and answered later. A call that is dropped answers itself with
/// `org.freedesktop.DBus.Error.Failed`. Nothing is sent if the caller expects no reply.
package struct MethodCall: ~Copyable {
  private let connection: Unmanaged<DBusConnection>
  private let message: OpaquePointer
  // Those of the message, which looks each up anew.
  private let memberName: UnsafePointer<CChar>
  private let interfaceName: UnsafePointer<CChar>?
  /// An instant before the call arrived, on the clock of ``EventLoop/now`` (microseconds). The call arrived between
  /// that and the turn of the loop that handles it; the bus does not report the exact time.
  package let cameAfter: Int64

  init(connection: DBusConnection, message: OpaquePointer, cameAfter: Int64) {
    self.connection = .passRetained(connection)
    self.message = dbus_message_ref(message)
    memberName = allocated(dbus_message_get_member(message))
    interfaceName = dbus_message_get_interface(message)
    self.cameAfter = cameAfter
  }

  deinit {
    sendError(name: ErrorName.failed, message: "the call was not answered")
    release()
  }
}

// MARK: The call

extension MethodCall {
  /// The unique name of the caller, which the bus guarantees.
  package var sender: String? { string(dbus_message_get_sender(message)) }
  package var path: ObjectPath { ObjectPath(trusted: string(dbus_message_get_path(message)) ?? "/") }
  package var interface: String? { string(interfaceName) }
  package var member: String { String(cString: memberName) }
  package var expectsReply: Bool { dbus_message_get_no_reply(message) == 0 }

  /// A reader that is at the first argument.
  package func reader() -> MessageReader { MessageReader(message: message) }

  /// Whether the call names this member; does not create a string.
  func isMember(_ name: String) -> Bool {
    name.withCString { strcmp($0, memberName) == 0 }
  }

  /// Whether the call names this interface, or none.
  func mayMeanInterface(_ name: String) -> Bool {
    guard let interfaceName else { return true }
    return name.withCString { strcmp($0, interfaceName) == 0 }
  }

  private func string(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

// MARK: The answer

@EventLoop
extension MethodCall {
  private func makeReply() -> DBusMessage { connection.takeUnretainedValue().makeReply(to: message) }

  /// Answers without arguments.
  package consuming func reply() {
    if expectsReply { send(makeReply()) }
    end()
  }

  /// Answers with an array of bytes, `ay`.
  package consuming func reply(_ bytes: [UInt8]) {
    if expectsReply {
      let reply = makeReply()
      var writer = MessageWriter(appendingTo: reply)
      writer.append(bytes: bytes.span)
      send(reply)
    }
    end()
  }

  /// Answers with a file descriptor and a number, `hq`, as AcquireNotify does; the descriptor is duplicated.
  package consuming func reply(_ descriptor: borrowing FileDescriptor, _ number: UInt16) {
    if expectsReply {
      let reply = makeReply()
      var writer = MessageWriter(appendingTo: reply)
      writer.append(duplicateOf: descriptor.rawValue)
      writer.append(number)
      if writer.hasFailed {
        sendError(name: ErrorName.failed, message: "no file descriptor is free")
      } else {
        send(reply)
      }
    }
    end()
  }

  /// Answers with these arguments, or with an error if they cannot be sent.
  package consuming func reply(_ values: [DBusValue]) {
    if expectsReply {
      let reply = makeReply()
      do throws(DBusError) {
        try reply.append(values)
        send(reply)
      } catch {
        sendError(name: error.name, message: error.message)
      }
    }
    end()
  }

  /// Answers with an error.
  ///
  /// - Precondition: `name` is a D-Bus error name, for example `org.bluez.Error.Failed`.
  package consuming func fail(name: String, message: String) {
    precondition(isValid(name, dbus_validate_error_name), "'\(name)' is not an error name")
    sendError(name: name, message: message)
    end()
  }

  /// Answers with an error and its D-Bus name.
  package consuming func fail(_ error: DBusError) {
    fail(name: error.name, message: error.message)
  }
}

extension MethodCall {
  private func send(_ reply: borrowing DBusMessage) {
    dbus_connection_send(connection.takeUnretainedValue().pointer, reply.pointer, nil)
  }

  private func sendError(name: String, message text: String) {
    guard expectsReply else { return }
    send(DBusMessage(adopting: allocated(dbus_message_new_error(message, name, text))))
  }

  private consuming func end() {
    release()
    discard self
  }

  private func release() {
    dbus_message_unref(message)
    connection.release()
  }
}

/// Holds a ``MethodCall`` that is answered later, for collections and closures, which cannot hold the call itself.
@EventLoop
package final class DeferredCall {
  private var call: MethodCall?

  package init(_ call: consuming MethodCall) { self.call = consume call }

  /// Returns the call the first time, then nil.
  package func take() -> MethodCall? {
    let taken = call.take()
    return taken
  }
}
