internal import CDBus
internal import EventLoop

/// Is given each signal that a subscription matches.
package typealias SignalHandler = @EventLoop (borrowing DBusMessage) -> Void

extension DBusConnection {
  /// Calls `handler` for each signal that the rule matches, in the order of their arrival.
  ///
  /// A well-known name as sender stands for whoever owns it at the time.
  /// - Throws: ``DBusError/invalid(what:value:)`` for a rule with a value that is not valid.
  package func subscribe(
    to rule: MatchRule, _ handler: @escaping SignalHandler
  ) throws(DBusError) -> Registration {
    let subscription = Subscription(rule, handler)
    let text = try rule.text()
    if let name = subscription.wellKnownSender {
      subscription.ownerWatch = try watchName(name) { [weak subscription] in
        subscription?.sender = $0.map(Subscription.Sender.unique) ?? .nobody
      }
    }
    add(subscription, text)
    return Registration { self.remove(subscription, text) }
  }

  private func add(_ subscription: Subscription, _ text: String) {
    subscriptions.append(subscription)
    dbus_bus_add_match(pointer, text, nil)
  }

  private func remove(_ subscription: Subscription, _ text: String) {
    subscription.end()
    subscriptions.removeAll { $0 === subscription }
    if isOpen { dbus_bus_remove_match(pointer, text, nil) }
  }
}

/// A handler and the signals it wants.
@EventLoop
final class Subscription {
  /// Whose signals are let through.
  enum Sender {
    case anyone, nobody
    case unique(String)
  }

  let rule: MatchRule
  let handler: SignalHandler
  var sender = Sender.anyone
  var ownerWatch: Registration?

  init(_ rule: MatchRule, _ handler: @escaping SignalHandler) {
    self.rule = rule
    self.handler = handler
    if let name = rule.sender, name.hasPrefix(":") || name == Bus.name { sender = .unique(name) }
  }

  /// The name that the bus resolves to its owner, if the rule has one.
  var wellKnownSender: String? {
    guard let name = rule.sender, !name.hasPrefix(":"), name != Bus.name else { return nil }
    return name
  }

  /// Hears no more, not even of a signal that is being handed around.
  func end() {
    ownerWatch = nil
    sender = .nobody
  }

  func matches(_ signal: borrowing DBusMessage) -> Bool {
    switch sender {
    case .anyone: rule.matchesContent(of: signal)
    case .nobody: false
    case .unique(let name):
      dbus_message_has_sender(signal.pointer, name) != 0 && rule.matchesContent(of: signal)
    }
  }
}
