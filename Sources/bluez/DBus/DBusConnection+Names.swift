internal import EventLoop

extension DBusConnection {
  /// Watches the owner of a name: calls `handler` with the owner's unique name, or `nil` for none, now and at each
  /// change.
  ///
  /// If others already watch the name, `handler` is called before this function returns.
  /// - Throws: ``DBusError/invalid(what:value:)`` if `name` is not a bus name.
  package func watchName(
    _ name: String, _ handler: @escaping @EventLoop (_ owner: String?) -> Void
  ) throws(DBusError) -> Registration {
    let watch = try nameWatch(of: name)
    let watcher = NameWatch.Watcher(handler)
    watch.add(watcher)
    return Registration {
      watch.remove(watcher)
      if watch.isUnused { self.stop(watch) }
    }
  }

  /// Asks for the owner once, however many watch the name.
  private func nameWatch(of name: String) throws(DBusError) -> NameWatch {
    if let watch = nameWatches.first(where: { $0.name == name }) { return watch }
    let watch = NameWatch(name)
    let changes = MatchRule(
      sender: Bus.name, interface: Bus.name, member: "NameOwnerChanged", firstArgument: name)
    let registration = try subscribe(to: changes) { watch.ownerChanged($0) }
    let question = try DBusMessage.methodCall(
      destination: Bus.name, path: Bus.path, interface: Bus.name, member: "GetNameOwner",
      arguments: [.string(name)])
    let pending = send(question, timeout: .seconds(25)) { watch.ownerTold($0) }
    watch.end = { pending.cancel() }
    watch.changes = consume registration
    nameWatches.append(watch)
    return watch
  }

  private func stop(_ watch: NameWatch) {
    nameWatches.removeAll { $0 === watch }
    watch.stop()
  }
}

/// A name on the bus and its watchers, which are called only if the owner has changed.
@EventLoop
final class NameWatch {
  let name: String
  private var watchers: [Watcher] = []
  /// nil: the bus has not reported it yet.
  private var owner: String??
  fileprivate var changes: Registration?
  fileprivate var end: (@EventLoop () -> Void)?

  fileprivate init(_ name: String) { self.name = name }

  @EventLoop
  final class Watcher {
    /// nil: it has stopped watching.
    fileprivate var handler: (@EventLoop (String?) -> Void)?

    fileprivate init(_ handler: @escaping @EventLoop (String?) -> Void) { self.handler = handler }
  }

  fileprivate var isUnused: Bool { watchers.isEmpty }

  fileprivate func add(_ watcher: Watcher) {
    watchers.append(watcher)
    if let owner { watcher.handler?(owner) }
  }

  fileprivate func remove(_ watcher: Watcher) {
    watcher.handler = nil
    watchers.removeAll { $0 === watcher }
  }

  /// Reads the reply to GetNameOwner, which is an error if the name has no owner.
  fileprivate func ownerTold(_ result: consuming Result<DBusMessage, DBusError>) {
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
  fileprivate func ownerChanged(_ signal: borrowing DBusMessage) {
    guard let new = try? signal.arguments().last?.string else { return }
    update(new.isEmpty ? nil : new)
  }

  fileprivate func stop() {
    changes = nil
    end?()
    end = nil
  }

  private func update(_ new: String?) {
    guard owner != .some(new) else { return }
    owner = .some(new)
    for watcher in watchers { watcher.handler?(new) }
  }
}
