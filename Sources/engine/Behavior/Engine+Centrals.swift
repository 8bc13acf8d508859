import Bluetooth
import DeviceModel

/// The links to centrals.
struct Links: Sendable {
  /// The connected centrals, in the order in which they connected.
  fileprivate(set) var centrals: [Central] = []
  /// The subscribers of each characteristic; nil: a central that the transport could not identify.
  fileprivate var subscribers: [[Central?]]
  /// The centrals that have opened each channel.
  fileprivate var users: [[Central]]
  /// Connected centrals beyond the limit, which are being disconnected.
  fileprivate(set) var turnedAway: Set<Central> = []

  init(of definition: PeripheralDefinition) {
    subscribers = Array(repeating: [], count: definition.characteristics.count)
    users = Array(repeating: [], count: definition.channels.count)
  }
}

/// Connections and subscriptions.
extension Engine {
  mutating func connect(_ central: Central) {
    guard !links.centrals.contains(central), !links.turnedAway.contains(central) else { return }
    if live.followsEvents { beginFollowing() }
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

  /// The connected central that has this address on its link, or as its identity; nil: there is none.
  package func central(at address: DeviceAddress) -> Central? {
    links.centrals.first { $0.hasBytes(of: address) } ?? links.centrals.first { identity(of: $0) == address }
  }

  /// The identity address of a connected central; that of its link if it has no other, or none that is known.
  package func identity(of central: Central) -> DeviceAddress { context.links[central]?.identity ?? central }

  /// Takes the properties of the link to a central before an event; nil: the transport does not know them. After the link has
  /// ended, its last properties remain until the engine has handled the disconnection.
  package mutating func note(
    mtu: Int?, isEncrypted: Bool?, longTermKey: [UInt8]? = nil, of central: Central
  ) {
    var link = context.links[central] ?? LinkState()
    if let mtu { link.mtu = mtu }
    if let isEncrypted { link.isEncrypted = isEncrypted }
    if let longTermKey { link.longTermKey = longTermKey }
    context.links[central] = link
  }

  mutating func disconnect(_ central: Central, _ reason: HCIError?) {
    defer { context.links[central] = nil }
    if links.turnedAway.remove(central) != nil { return }
    links.centrals.removeAll { $0 == central }
    context.centrals = Int64(links.centrals.count)
    timers.end(of: central, in: &turn)
    layerMessages.end(of: central)
    endWaits(of: central, isLast: links.centrals.isEmpty)
    forgetStreams(of: central)
    updateAdvertising()
    fire(reason?.isLoss == true ? .linkLost : .disconnected, reason?.name, by: central)
    settle()
    centralVariables.end(central, in: &context.variables)
  }

  mutating func changeLink(of central: Central, _ change: LinkChange) {
    guard links.centrals.contains(central) else { return }
    if change.parameters != nil { fire(.parametersChanged, by: central) { $0.link = change } }
    if change.phys != nil { fire(.phyChanged, by: central) { $0.link = change } }
  }

  /// Whether the device responds to this central. It refuses the requests of one that it is turning away.
  mutating func admits(_ central: Central?) -> Bool {
    guard let central, links.turnedAway.contains(central) else { return true }
    refuse(.insufficientAuthorization)
    return false
  }

  mutating func subscribe(_ central: Central?, to characteristic: Int) {
    if let central, links.turnedAway.contains(central) { return }
    if live.followsEvents { beginFollowing(characteristic) }
    links.subscribers[characteristic].append(central)
    context.subscribers[characteristic] = links.subscribers[characteristic].count
    fire(.subscribed(characteristic), by: central, on: .characteristic(characteristic))
  }

  /// Takes a write to the Client Characteristic Configuration of a central. A rule may refuse it.
  mutating func configure(
    _ characteristic: Int, _ value: [UInt8], from old: Delivery?, to new: Delivery?, _ kind: WriteKind,
    by central: Central
  ) {
    turn.respond(.accepted)
    turn.isAwaited = kind != .command
    guard rulesAccept(value, .configured(characteristic), on: characteristic, 0, from: central) else {
      return
    }
    let event = Event.configuring(
      central, characteristic: characteristic, value: value, from: old, to: new, kind)
    if definition.isRelayed || postpones(.perform(event)) { return }
    changeSubscription(of: central, to: characteristic, from: old, to: new)
  }

  mutating func changeSubscription(
    of central: Central, to characteristic: Int, from old: Delivery?, to new: Delivery?
  ) {
    guard old != new else { return }
    guard old != nil else { return askToSubscribe(central, to: characteristic) }
    unsubscribe(central, from: characteristic)
    if new != nil { subscribe(central, to: characteristic) }
  }

  /// A rule may refuse; then the central has not subscribed.
  private mutating func askToSubscribe(_ central: Central, to characteristic: Int) {
    turn.awaitsAnswer = mayRefuse
    subscribe(central, to: characteristic)
    turn.awaitsAnswer = false
    if case .refused = turn.response { return withdraw(central, from: characteristic) }
    _ = postpones(.withdraw(central, characteristic: characteristic))
  }

  /// Ends a subscription that a rule has refused.
  mutating func withdraw(_ central: Central, from characteristic: Int) {
    guard let index = links.subscribers[characteristic].lastIndex(of: central) else { return }
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

// MARK: Channels

extension Engine {
  mutating func openChannel(_ channel: Int, by central: Central) {
    if links.turnedAway.contains(central) { return }
    links.users[channel].append(central)
    fire(.opened(channel), by: central, on: .channel(channel))
  }

  mutating func closeChannel(_ channel: Int, by central: Central) {
    guard let index = links.users[channel].firstIndex(of: central) else { return }
    forgetStream(StreamKey(central: central, endpoint: .channel(channel)))
    links.users[channel].remove(at: index)
    fire(.closed(channel), by: central)
  }

  /// The central that has caused a rule, if the place is a channel that it has opened, is at that central or has values for the
  /// asker: answers are for it alone.
  func user(of place: Endpoint, _ activation: borrowing Activation) -> Central? {
    if case .characteristic = place { return lookup[place].isForAsker ? activation.asker : nil }
    guard case .central(let central?) = activation.owner else { return nil }
    switch place {
    case .channel(let channel): return links.users[channel].contains(central) ? central : nil
    case .sought: return central
    case .characteristic, .wire, .layer: return nil
    }
  }
}

// MARK: What the device seeks at a central

extension Engine {
  mutating func discover(_ found: Set<Int>, at central: Central) {
    for sought in definition.sought.indices where links.centrals.contains(central) {
      fire(
        found.contains(sought) ? .found(sought) : .missing(sought), by: central, on: .sought(sought))
    }
  }
}
