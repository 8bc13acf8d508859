internal import EventLoop

extension DBusConnection {
  /// Watches the owner of a name: calls `handler` with the owner's unique name, or `nil` for none, now and at each
  /// change.
  ///
  /// - Throws: ``DBusError/invalid(what:value:)`` if `name` is not a bus name.
  package func watchName(
    _ name: String, _ handler: @escaping @EventLoop (_ owner: String?) -> Void
  ) throws(DBusError) -> Registration {
    let watch = NameWatch(handler)
    let changes = MatchRule(
      sender: Bus.name, interface: Bus.name, member: "NameOwnerChanged", firstArgument: name)
    let registration = try subscribe(to: changes) { watch.ownerChanged($0) }
    let question = try DBusMessage.methodCall(
      destination: Bus.name, path: Bus.path, interface: Bus.name, member: "GetNameOwner",
      arguments: [.string(name)])
    let pending = send(question, timeout: .seconds(25)) { watch.ownerTold($0) }
    watch.end = { pending.cancel() }
    watch.changes = consume registration
    return Registration { watch.stop() }
  }
}

/// Calls its handler only if the owner has changed.
@EventLoop
private final class NameWatch {
  private var handler: (@EventLoop (String?) -> Void)?
  private var owner: String??
  var changes: Registration?
  var end: (@EventLoop () -> Void)?

  init(_ handler: @escaping @EventLoop (String?) -> Void) { self.handler = handler }

  /// Reads the reply to GetNameOwner, which is an error if the name has no owner.
  func ownerTold(_ result: consuming Result<DBusMessage, DBusError>) {
    do throws(DBusError) {
      var reader = try result.get().reader()
      update(try reader.string())
    } catch .disconnected, .cancelled {
      // onDisconnect reports the end of the connection.
    } catch {
      update(nil)
    }
  }

  /// Reads NameOwnerChanged: the name, its old owner and its new owner, each empty for none.
  func ownerChanged(_ signal: borrowing DBusMessage) {
    guard let new = try? signal.arguments().last?.string else { return }
    update(new.isEmpty ? nil : new)
  }

  func stop() {
    handler = nil
    changes = nil
    end?()
    end = nil
  }

  private func update(_ new: String?) {
    guard owner != .some(new) else { return }
    owner = .some(new)
    handler?(new)
  }
}
