internal import CDBus
internal import EventLoop

/// Called with each signal that a subscription matches.
package typealias SignalHandler = @EventLoop (borrowing DBusMessage) -> Void

extension DBusConnection {
  /// Calls `handler` for each signal that the rule matches, in the order of arrival.
  ///
  /// A well-known name as the sender means its owner at that time.
  /// - Throws: ``DBusError/invalid(what:value:)`` for a rule with an invalid value.
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

/// A handler and the signals that it receives.
@EventLoop
final class Subscription {
  /// The sender whose signals pass.
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

  /// The rule's well-known sender, whose owner the bus resolves; nil: none.
  var wellKnownSender: String? {
    guard let name = rule.sender, !name.hasPrefix(":"), name != Bus.name else { return nil }
    return name
  }

  /// Ends the subscription, even for a signal that is being delivered.
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
