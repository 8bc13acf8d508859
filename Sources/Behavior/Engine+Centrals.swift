import Bluetooth
import DeviceModel

/// The links to centrals.
struct Links: Sendable {
  /// The connected centrals, in the order in which they connected.
  var centrals: [Central] = []
  /// The subscribers of each characteristic; nil: a central that the transport could not identify.
  var subscribers: [[Central?]]
  /// Connected centrals beyond the limit, which are being disconnected.
  var turnedAway: Set<Central> = []

  init(of definition: PeripheralDefinition) {
    subscribers = Array(repeating: [], count: definition.characteristics.count)
  }
}

/// Connections and subscriptions.
extension Engine {
  mutating func connect(_ central: Central) {
    guard !links.centrals.contains(central), !links.turnedAway.contains(central) else { return }
    if let limit = definition.link.centrals, links.centrals.count >= limit {
      links.turnedAway.insert(central)
      remark(.turnedAway(central, limit: limit))
      turn.actions.append(.disconnect(central))
      return
    }
    links.centrals.append(central)
    centralVariables.begin(central)
    context.centrals = Int64(links.centrals.count)
    updateAdvertising()
    fire(.connected, by: central)
  }

  /// The connected centrals, in the order in which they connected.
  package var connectedCentrals: [Central] { links.centrals }

  /// Takes the properties of the link to a central before an event; nil: the transport does not know them. After the link has
  /// ended, its last properties remain until the engine has handled the disconnection.
  package mutating func note(mtu: Int?, isEncrypted: Bool?, of central: Central) {
    var link = context.links[central] ?? LinkState()
    if let mtu { link.mtu = mtu }
    if let isEncrypted { link.isEncrypted = isEncrypted }
    context.links[central] = link
  }

  mutating func disconnect(_ central: Central, _ reason: HCIError?) {
    defer { context.links[central] = nil }
    if links.turnedAway.remove(central) != nil { return }
    links.centrals.removeAll { $0 == central }
    context.centrals = Int64(links.centrals.count)
    endRules(of: central)
    forgetStreams(of: central)
    updateAdvertising()
    var event = EventValues()
    event.reason = reason
    fire(.disconnected, event, by: central)
    settle()
    centralVariables.end(central, in: &context.variables)
  }

  /// Whether the device responds to this central. It refuses the requests of one that it is turning away.
  mutating func admits(_ central: Central?) -> Bool {
    guard let central, links.turnedAway.contains(central) else { return true }
    refuse(.insufficientAuthorization)
    return false
  }

  mutating func subscribe(_ central: Central?, to characteristic: Int) {
    if let central, links.turnedAway.contains(central) { return }
    links.subscribers[characteristic].append(central)
    context.subscribers[characteristic] = links.subscribers[characteristic].count
    fire(.subscribed(characteristic), by: central, on: .characteristic(characteristic))
  }

  /// Takes a write to the Client Characteristic Configuration of a central. A rule may refuse it.
  mutating func configure(
    _ characteristic: Int, _ value: [UInt8], from old: Delivery?, to new: Delivery?, by central: Central
  ) {
    turn.response = .accepted
    guard rulesAccept(value, .configured(characteristic), on: characteristic, 0, from: central) else {
      return
    }
    guard old != new else { return }
    guard old != nil else { return askToSubscribe(central, to: characteristic) }
    unsubscribe(central, from: characteristic)
    if new != nil { subscribe(central, to: characteristic) }
  }

  /// A rule may refuse; then the central has not subscribed.
  private mutating func askToSubscribe(_ central: Central, to characteristic: Int) {
    turn.awaitsAnswer = true
    subscribe(central, to: characteristic)
    turn.awaitsAnswer = false
    guard case .refused = turn.response, let index = links.subscribers[characteristic].lastIndex(of: central)
    else {
      return
    }
    links.subscribers[characteristic].remove(at: index)
    context.subscribers[characteristic] = links.subscribers[characteristic].count
  }

  mutating func unsubscribe(_ central: Central?, from characteristic: Int) {
    guard let index = links.subscribers[characteristic].firstIndex(of: central) else { return }
    links.subscribers[characteristic].remove(at: index)
    context.subscribers[characteristic] = links.subscribers[characteristic].count
    fire(.unsubscribed(characteristic), by: central)
  }
}
