import Bluetooth
import DeviceModel

/// Connections and subscriptions.
extension Engine {
  mutating func connect(_ central: Central) {
    guard !centrals.contains(central), !turnedAway.contains(central) else { return }
    if let limit = definition.link.centrals, centrals.count >= limit {
      turnedAway.insert(central)
      return actions.append(.disconnect(central))
    }
    centrals.append(central)
    context.centrals = Int64(centrals.count)
    updateAdvertising()
    fire(.connected, by: central)
  }

  mutating func disconnect(_ central: Central) {
    if turnedAway.remove(central) != nil { return }
    centrals.removeAll { $0 == central }
    context.centrals = Int64(centrals.count)
    endRules(of: central)
    forgetStreams(of: central)
    updateAdvertising()
    fire(.disconnected, by: central)
    settle()
  }

  /// Whether the device answers this central: not if it is being turned away.
  mutating func admits(_ central: Central?) -> Bool {
    guard let central, turnedAway.contains(central) else { return true }
    refuse(.insufficientAuthorization)
    return false
  }

  mutating func subscribe(_ central: Central?, to characteristic: Int) {
    if let central, turnedAway.contains(central) { return }
    subscribers[characteristic].append(central)
    context.subscribers[characteristic] = subscribers[characteristic].count
    fire(.subscribed(characteristic), by: central, on: .characteristic(characteristic))
  }

  /// A rule may refuse; then the central has not subscribed.
  mutating func askToSubscribe(_ central: Central, to characteristic: Int) {
    response = .accepted
    awaitsAnswer = true
    subscribe(central, to: characteristic)
    awaitsAnswer = false
    guard case .refused = response, let index = subscribers[characteristic].lastIndex(of: central) else {
      return
    }
    subscribers[characteristic].remove(at: index)
    context.subscribers[characteristic] = subscribers[characteristic].count
  }

  mutating func unsubscribe(_ central: Central?, from characteristic: Int) {
    guard let index = subscribers[characteristic].firstIndex(of: central) else { return }
    subscribers[characteristic].remove(at: index)
    context.subscribers[characteristic] = subscribers[characteristic].count
    fire(.unsubscribed(characteristic), by: central)
  }
}
