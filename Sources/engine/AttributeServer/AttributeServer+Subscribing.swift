import Behavior
import Bluetooth

// Client Characteristic Configuration (Vol 3 Part G 3.3.3.3), notifications and indications (Vol 3 Part F 3.4.7).
extension AttributeServer {
  /// Sets this central's configuration of a value, and returns the events for the device.
  mutating func configure(
    _ subscribed: SubscribedValue, _ value: [UInt8], _ possible: ClientConfiguration
  ) throws(ATTError) -> [Event] {
    let new = try Self.configuration(value, possible)
    let old = configurations.updateValue(new, forKey: subscribed) ?? []
    hasNews = true
    guard case .characteristic(let index) = subscribed, old.delivery != new.delivery,
      database.unconditional[index] == nil
    else { return [] }
    if old.delivery == .indication { dropUnsentIndications(of: index) }
    let end = old.delivery.map { _ in Event.unsubscribed(central, characteristic: index) }
    let beginning = new.delivery.map { Event.subscribed(central, characteristic: index, $0) }
    return [end, beginning].compactMap { $0 }
  }

  static func configuration(
    _ value: [UInt8], _ possible: ClientConfiguration
  ) throws(ATTError) -> ClientConfiguration {
    guard value.count == 2 else { throw .invalidAttributeValueLength }
    let new = ClientConfiguration(rawValue: UInt16(value[0], value[1]))
    guard possible.isSuperset(of: new) else { throw .cccdImproperlyConfigured }
    return new
  }

  /// Asks the device about a new configuration, if its rules decide on it.
  ///
  /// - Returns: whether the device decides.
  mutating func asksDevice(
    _ subscribed: SubscribedValue, _ value: [UInt8], _ possible: ClientConfiguration,
    at handle: AttributeHandle, _ kind: WriteKind
  ) throws(ATTError) -> Bool {
    guard case .characteristic(let index) = subscribed, database.guarded.contains(index) else { return false }
    let new = try Self.configuration(value, possible)
    request = .configure(kind, handle, characteristic: index, new)
    let isFixed = database.unconditional[index] != nil
    actions.append(
      .ask(
        .configuring(
          central, characteristic: index, value: value,
          from: isFixed ? nil : configurations[subscribed]?.delivery,
          to: isFixed ? nil : new.delivery, kind)))
    return true
  }

  /// Goes on with the device's response to a configuration.
  mutating func proceed(
    configuring characteristic: Int, _ new: ClientConfiguration, at handle: AttributeHandle,
    _ kind: WriteKind, _ response: Response
  ) {
    if let error = response.error {
      switch kind {
      case .request: refuse(.writeRequest, handle, error)
      case .command: break
      case .reliable: dropPrepared(at: handle, error)
      }
      return
    }
    let old = configurations.updateValue(new, forKey: .characteristic(characteristic))
    hasNews = true
    if old?.delivery == .indication, new.delivery != .indication { dropUnsentIndications(of: characteristic) }
    switch kind {
    case .request: send(.writeResponse)
    case .command: break
    case .reliable: writeNextPrepared()
    }
  }

  /// How this central gets the values of a characteristic; nil: it does not get them now.
  ///
  /// - Parameters:
  ///   - evenUnsubscribed: whether it gets them by notification if it has not subscribed.
  ///   - evenOutOfSync: whether it does not matter that it is out of sync.
  package func delivery(
    of characteristic: Int, evenUnsubscribed: Bool = false, evenOutOfSync: Bool = false
  ) -> Delivery? {
    guard evenOutOfSync || mayGet(characteristic) else { return nil }
    return database.unconditional[characteristic] ?? configurations[.characteristic(characteristic)]?.delivery
      ?? (evenUnsubscribed ? .notification : nil)
  }

  /// The subscriptions that a central has from its connection on, in their order.
  package var initialSubscriptions: [Event] {
    database.unconditional.sorted { $0.key < $1.key }.map { .subscribed(central, characteristic: $0, $1) }
  }

  /// The characteristics to which it has subscribed, in their order.
  package var subscriptions: [Int] {
    let asked = configurations.compactMap { subscribed, configuration -> Int? in
      guard case .characteristic(let index) = subscribed else { return nil }
      return configuration.delivery == nil ? nil : index
    }
    return Set(asked).union(database.unconditional.keys).sorted()
  }
}

/// An indication that has not been confirmed.
struct PendingIndication: Hashable, Sendable {
  var handle: AttributeHandle
  /// By index in the definition; nil for Service Changed.
  var characteristic: Int?
  var value: [UInt8]
}

// MARK: Values

extension AttributeServer {
  /// Sends a value of a characteristic, cut to the MTU. An indication waits until the earlier ones are confirmed.
  package mutating func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, by delivery: Delivery
  ) -> [ServerAction] {
    guard let handle = database.sendingHandle(of: characteristic) else { return [] }
    switch delivery {
    case .notification: notification(of: value, from: characteristic).map { actions.append(.send($0)) }
    case .indication:
      indicate(PendingIndication(handle: handle, characteristic: characteristic, value: Array(value)))
    }
    return takeActions()
  }

  /// The PDU that notifies a value of a characteristic, cut to the MTU; nil: the device does not have it. A stream of values
  /// goes out this way, and needs no actions.
  package func notification(of value: ArraySlice<UInt8>, from characteristic: Int) -> [UInt8]? {
    guard let handle = database.sendingHandle(of: characteristic) else { return nil }
    let value = value.prefix(mtu - 3)
    var packet: [UInt8] = []
    packet.reserveCapacity(3 + value.count)
    packet.append(AttributeOpcode.notification.rawValue)
    packet.append(UInt8(truncatingIfNeeded: handle))
    packet.append(UInt8(truncatingIfNeeded: handle >> 8))
    packet.append(contentsOf: value)
    return packet
  }

  /// How many indications have not been confirmed, sent or not.
  package var unconfirmed: Int { indications.count }

  mutating func indicate(_ indication: PendingIndication) {
    indications.append(indication)
    if indications.count == 1 { sendIndication(indication) }
  }

  private mutating func sendIndication(_ indication: PendingIndication) {
    actions.append(.awaitConfirmation(true))  // a central in memory confirms at once
    send(.indication(indication.handle, Array(indication.value.prefix(mtu - 3))))
  }

  private mutating func dropUnsentIndications(of characteristic: Int) {
    let others = indications.dropFirst().filter { $0.characteristic != characteristic }
    indications = indications.prefix(1) + others
  }

  /// Takes a confirmation. One without an indication is ignored.
  mutating func confirm() {
    guard let confirmed = indications.popFirst() else { return }
    actions.append(.awaitConfirmation(false))
    if let characteristic = confirmed.characteristic {
      actions.append(.tell(.confirmed(central, characteristic: characteristic)))
    }
    if awareness != .aware, confirmed.handle == database.serviceChanged?.handle { becomeAware() }
    if let next = indications.first { sendIndication(next) } else { indications = [] }
  }

  /// To be called 30 s after an indication without a confirmation: no more PDUs may be sent then (Vol 3 Part F 3.3.3).
  package mutating func confirmationTimedOut() -> [ServerAction] {
    if !indications.isEmpty { actions.append(.end(.indicationNotConfirmed)) }
    return takeActions()
  }
}
