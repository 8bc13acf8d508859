import Bluetooth

/// An expected advertisement, as in `local-name="Demo" services=FFE0`. Fields that are not listed match anything.
package struct AdvertisementPattern: Sendable {
  package enum Field: Hashable, Sendable {
    /// nil matches any name; an empty text matches an advertisement without a name.
    case localName(String?)
    /// All services, in any order.
    case services([BluetoothUUID])
    case manufacturerData(CompanyIdentifier, BytePattern)
    case serviceData(BluetoothUUID, BytePattern)
    case txPower(Int8)
    case appearance(UInt16)
    case discoverable(Bool)
    case connectable(Bool)
    case raw(UInt8, BytePattern)
    /// Of the bytes between the fields, in whatever order.
    case bytes(BytePattern)
    case interval(ClosedRange<AdvertisingInterval>)
    case address(Address)
  }

  package enum Address: Hashable, Sendable {
    /// The adapter's.
    case adapter
    case random(RandomAddressKind)
    case given(DeviceAddress)
  }

  /// The name of a further advertising set; nil: the main one.
  package var set: String?
  package var fields: [Field]

  /// Describes the first difference; nil when the advertisement matches.
  package func difference(from found: Advertisement) -> String? {
    guard let found = self.set(of: found) else { return "the set \(set ?? "") is not advertised" }
    for field in fields {
      if let difference = field.difference(from: found) { return difference }
    }
    return nil
  }

  /// The set of an advertisement; nil: there is none with the name.
  package func set(of advertisement: Advertisement) -> Advertisement? {
    set == nil ? advertisement : advertisement.furtherSets.first { $0.name == set && $0.isShown }
  }
}

extension AdvertisementPattern.Field {
  fileprivate func difference(from found: Advertisement) -> String? {
    switch self {
    case .localName(let name): difference(ofName: found.localName, from: name)
    case .services(let services):
      Set(services) == Set(found.serviceUUIDs)
        ? nil
        : differ("services", AdvertisementText.list(found.serviceUUIDs), AdvertisementText.list(services))
    case .manufacturerData(let company, let pattern):
      difference(
        "manufacturer-data", found.manufacturerData.first { $0.company == company }?.bytes, pattern)
    case .serviceData(let uuid, let pattern):
      difference("service-data", found.serviceData.first { $0.uuid == uuid }?.bytes, pattern)
    case .txPower(let power): same("tx-power", found.txPower, power)
    case .appearance(let appearance): same("appearance", found.appearance, appearance)
    case .discoverable(let flag): same("discoverable", found.isDiscoverable, flag)
    case .connectable(let flag): same("connectable", found.isConnectable, flag)
    case .raw(let type, let pattern):
      difference("raw", found.rawStructures.first { $0.type.rawValue == type }?.value, pattern)
    case .bytes(let pattern):
      found.packetBytes.contains { pattern.difference(from: $0) == nil }
        ? nil : difference("bytes", found.packetBytes.first, pattern)
    case .interval(let interval):
      same("interval", found.interval.map(AdvertisementText.interval), AdvertisementText.interval(interval))
    case .address(let address):
      address.matches(found.address)
        ? nil : differ("address", AdvertisementText.address(found.address), address.description)
    }
  }

  private func difference(ofName found: String?, from name: String?) -> String? {
    guard let found = found ?? (name == "" ? "" : nil) else { return "there is no local-name" }
    guard let name, name != found else { return nil }
    return differ("local-name", AdvertisementText.quote(found), AdvertisementText.quote(name))
  }

  private func difference(_ name: String, _ found: [UInt8]?, _ pattern: BytePattern) -> String? {
    guard let found else { return "there is no such \(name)" }
    return pattern.difference(from: found).map { "\(name): \($0)" }
  }

  private func same<T: Equatable>(_ name: String, _ found: T?, _ expected: T) -> String? {
    guard let found else { return "there is no \(name)" }
    return found == expected ? nil : differ(name, "\(found)", "\(expected)")
  }

  private func differ(_ name: String, _ found: String, _ expected: String) -> String {
    "\(name) is \(found), not \(expected)"
  }
}

extension AdvertisementPattern.Address: LosslessStringConvertible {
  /// Reads `public`, `static`, `resolvable`, `non-resolvable`, or an address.
  package init?(_ text: String) {
    if text == "public" {
      self = .adapter
    } else if let kind = Self.kinds.first(where: { $0.name == text }) {
      self = .random(kind)
    } else if let address = DeviceAddress(text) {
      self = .given(address)
    } else {
      return nil
    }
  }

  private static let kinds: [RandomAddressKind] = [.static, .resolvable, .nonResolvable]

  package var description: String {
    switch self {
    case .adapter: "public"
    case .random(let kind): kind.name
    case .given(let address): address.description
    }
  }

  fileprivate func matches(_ found: SetAddress?) -> Bool {
    switch self {
    case .adapter: found == nil
    case .random(let kind): found?.address.randomKind == kind
    case .given(let address): found?.address == address
    }
  }
}
