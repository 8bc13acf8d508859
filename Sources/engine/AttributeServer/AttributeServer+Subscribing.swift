import Behavior
import Bluetooth

// Client Characteristic Configuration (Vol 3 Part G 3.3.3.3), notifications and indications (Vol 3 Part F 3.4.7).
extension AttributeServer {
  /// Sets this central's configuration of a value, and returns the events for the device.
  mutating func configure(_ subscribed: SubscribedValue, _ new: ClientConfiguration) -> [Event] {
    let old = change(subscribed, to: new)
    guard case .characteristic(let index) = subscribed, database.unconditional[index] == nil else {
      return []
    }
    let (before, now) = (database.delivery(old, of: index), database.delivery(new, of: index))
    guard before != now else { return [] }
    if old.contains(.indication) { indications.dropUnsent(of: index) }
    let end = before.map { _ in Event.unsubscribed(central, characteristic: index) }
    let beginning = now.map { Event.subscribed(central, characteristic: index, $0) }
    return [end, beginning].compactMap { $0 }
  }

  /// - Returns: the earlier configuration.
  private mutating func change(
    _ subscribed: SubscribedValue, to new: ClientConfiguration
  ) -> ClientConfiguration {
    defer { noteDeliveries() }
    return client.configure(subscribed, new)
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
    _ subscribed: SubscribedValue, _ new: ClientConfiguration, at handle: AttributeHandle, _ kind: WriteKind
  ) -> Bool {
    guard case .characteristic(let index) = subscribed, database.guarded.contains(index) else { return false }
    let isFixed = database.unconditional[index] != nil
    if !isFixed, kind != .command, database.early.contains(index) { early = (index, new.delivery) }
    ask(
      .configuring(
        central, characteristic: index, value: new.bytes,
        from: isFixed ? nil : database.delivery(client.configuration(of: subscribed), of: index),
        to: isFixed ? nil : database.delivery(new, of: index), kind),
      then: .configure(kind, handle, characteristic: index, new))
    return true
  }

  /// Goes on with the device's response to a configuration.
  mutating func proceed(
    configuring characteristic: Int, _ new: ClientConfiguration, at handle: AttributeHandle,
    _ kind: WriteKind, _ response: Response
  ) {
    if let error = response.error { return fail(kind, at: response.handle ?? handle, error) }
    let old = change(.characteristic(characteristic), to: new)
    if old.contains(.indication), database.delivery(new, of: characteristic) != .indication {
      indications.dropUnsent(of: characteristic)
    }
    succeed(kind)
  }

  /// How this central gets the values of a characteristic; nil: it does not get them now.
  ///
  /// - Parameters:
  ///   - security: the link's protection now.
  ///   - evenUnsubscribed: whether it gets them by notification if it has not subscribed.
  ///   - evenMissed: whether it does not matter that it is out of sync, or that the link is not protected well enough.
  package func delivery(
    of characteristic: Int, over security: LinkSecurity = .none, evenUnsubscribed: Bool = false,
    evenMissed: Bool = false
  ) -> Delivery? {
    guard evenMissed || mayGet(characteristic) && protects(characteristic, security) else { return nil }
    if let early, early.characteristic == characteristic { return early.delivery }
    let delivery = characteristic < deliveries.count ? deliveries[characteristic] : nil
    return delivery ?? (evenUnsubscribed ? .notification : nil)
  }

  /// Whether the central also gets by indication the values of a characteristic that it gets by notification.
  package func indicatesToo(_ characteristic: Int) -> Bool {
    !database.forBoth.isEmpty && database.forBoth[characteristic] == .both
      && client.configuration(of: .characteristic(characteristic)).isBoth
  }

  /// Whether a value goes to the central now: only Service Changed goes to one that is out of sync.
  private func mayGet(_ characteristic: Int) -> Bool {
    !client.isOutOfSync || database.serviceChanged?.configuration == .characteristic(characteristic)
  }

  /// Whether the link is protected well enough for the values of a characteristic: subscribing is no permission for ever (Vol 3
  /// Part C 10.3.1.1).
  package func protects(_ characteristic: Int, _ security: LinkSecurity) -> Bool {
    database.access(sending: characteristic).isGranted(on: security)
  }

  /// The subscriptions that a central has from its connection on, in their order.
  package var initialSubscriptions: [Event] {
    database.unconditional.sorted { $0.key < $1.key }.map { .subscribed(central, characteristic: $0, $1) }
  }

  /// The characteristics to which it has subscribed, in their order.
  package var subscriptions: [Int] {
    let asked = client.configurations.compactMap { subscribed, configuration -> Int? in
      guard case .characteristic(let index) = subscribed else { return nil }
      return configuration.delivery == nil ? nil : index
    }
    return Set(asked).union(database.unconditional.keys).sorted()
  }
}

// MARK: Values

extension AttributeServer {
  /// Indicates a value of a characteristic, cut to the MTU, once the earlier ones are confirmed.
  package mutating func indicate(_ value: ArraySlice<UInt8>, from characteristic: Int) -> ServerActions {
    guard let handle = database.sendingHandle(of: characteristic) else { return [] }
    indicate(PendingIndication(handle: handle, characteristic: characteristic, value: Array(value)))
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
    add(.awaitConfirmation(true))  // a central in memory confirms at once
    send(.indication(indication.handle, Array(indication.value.prefix(mtu - 3))))
  }

  /// Takes a confirmation. One without an indication is ignored.
  mutating func confirm() {
    guard let confirmed = indications.confirm() else { return }
    add(.awaitConfirmation(false))
    if let characteristic = confirmed.characteristic {
      tell([.confirmed(central, characteristic: characteristic)])
    }
    if !client.isAware, confirmed.handle == database.serviceChanged?.handle,
      !indications.contains(confirmed.handle)
    {
      client.becomeAware()
    }
    sendNextIndication()
  }

  /// Sends the indication that has waited longest. The protection of the link may have fallen since.
  private mutating func sendNextIndication() {
    while let next = indications.first {
      if next.characteristic.map({ protects($0, security) }) ?? true { return sendIndication(next) }
      _ = indications.confirm()
    }
  }

  /// To be called 30 s after an indication without a confirmation: no more PDUs may be sent then (Vol 3 Part F 3.3.3).
  package mutating func confirmationTimedOut() -> ServerActions {
    if indications.first != nil { add(.end(.indicationNotConfirmed)) }
    return takeActions()
  }
}
