import Behavior
import Bluetooth

// What lasts for a bonded central from link to link: what it has written (Vol 3 Part G 3.3.3.3 and 7.2), and whether it knows
// the attributes, which it may keep (2.5.2).
extension AttributeServer {
  /// Restores the kept state of a bonded central. What it has written on this link takes precedence over its earlier
  /// configurations. Configurations that are not possible here are ignored, and those that the link's protection does not permit
  /// it to write.
  ///
  /// - Parameter security: the link's protection, by the key of the bond.
  /// - Returns: the events for the device, whose rules cannot refuse them.
  package mutating func restore(_ bond: Bond, over security: LinkSecurity = .encrypted) -> [Event] {
    if database.hasClientFeatures { client.restore(bond.features) }
    let events = database.configurations.flatMap { value, possible, access -> [Event] in
      guard client.configurations[value] == nil, access.isGranted(on: security),
        let number = database.names[value].flatMap({ bond.configurations[$0] }),
        let kept = try? Self.configuration(number.littleEndianBytes, possible)
      else { return [] }
      return configure(value, kept)
    }
    // A central that cannot show that it has heard of a change has to look by itself.
    if let known = bond.table, known != database.fingerprint, database.hasHash || hearsServiceChanged {
      client.becomeUnaware()
      if client.isOutOfSync { indications.dropUnsent() }
    }
    _ = client.takeNews()
    return events
  }

  /// Brings what is kept up to date with this link. Configurations of values that are not here stay.
  package func update(_ bond: inout Bond) {
    for (value, configuration) in client.configurations {
      guard let name = database.names[value] else { continue }
      bond.configurations[name] = configuration.rawValue == 0 ? nil : configuration.rawValue
    }
    if database.hasClientFeatures { bond.features = client.features }
    bond.table = client.isAware ? database.fingerprint : Bond.outdatedTable
  }

  /// Whether anything has changed that is kept of a bonded central, since the last call.
  package mutating func takeNews() -> Bool { client.takeNews() }

  var hearsServiceChanged: Bool {
    guard let (_, configuration) = database.serviceChanged else { return false }
    return client.configuration(of: configuration).contains(.indication)
  }
}

// MARK: Service Changed

extension AttributeServer {
  /// Indicates Service Changed (Vol 3 Part G 7.1) to a central that does not know the attributes, if it has configured that.
  ///
  /// - Parameter range: the handles that have changed.
  package mutating func indicateChange(of range: HandleRange = .all) -> ServerActions {
    if !client.isAware, hearsServiceChanged, let (handle, subscribed) = database.serviceChanged {
      let value = range.first.littleEndianBytes + range.last.littleEndianBytes
      tell([.serviceChanged(central, characteristic: subscribed.characteristic, value: value)])
      indicate(PendingIndication(handle: handle, characteristic: nil, value: value))
    }
    return takeActions()
  }
}

extension AttributeDatabase {
  /// The Client Characteristic Configurations, in the order of their handles, with what they need to be written.
  fileprivate var configurations: [(SubscribedValue, ClientConfiguration, AttributeAccess)] {
    attributes.compactMap { attribute in
      guard case .configuration(let value, let possible) = attribute.content else { return nil }
      return (value, possible, attribute.write)
    }
  }
}
