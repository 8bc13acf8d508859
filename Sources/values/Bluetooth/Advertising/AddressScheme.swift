/// How an advertising set gets its address (Core Specification, Vol 6 Part B 1.3).
package enum AddressScheme: Hashable, Sendable {
  case fixed(OwnAddress)
  /// A private address that changes. Bonded centrals recognize the device by its key (1.3.2.2).
  ///
  /// - Parameters:
  ///   - key: the identity resolving key, 16 bytes, least significant first; nil: one that is always the same for a device on
  ///     an adapter.
  ///   - period: how long it has each address.
  case resolvable(identity: OwnAddress, key: [UInt8]?, period: Duration)
  /// A private address that changes, by which no one recognizes the device.
  case nonResolvable(period: Duration)

  /// How long a device has a private address unless it is set, TGAP(private_addr_int) (Vol 3 Part C, Appendix A).
  package static let usualPeriod = Duration.seconds(15 * 60)

  /// nil: the address does not change.
  package var period: Duration? {
    switch self {
    case .fixed: nil
    case .resolvable(_, _, let period), .nonResolvable(let period): period
    }
  }
}

/// The address that an advertising set has now, other than the adapter's: a random one.
package struct SetAddress: Hashable, Sendable {
  package var address: DeviceAddress
  /// How centrals know the device if the address is a resolvable private one.
  package var identity: DeviceIdentity?

  package init(_ address: DeviceAddress, identity: DeviceIdentity? = nil) {
    (self.address, self.identity) = (address, identity)
  }
}

extension SetAddress: CustomStringConvertible {
  /// `5A:0C:11:7D:2E:90, resolvable`; a static one is `random`.
  package var description: String {
    let kind = address.randomKind
    return "\(address), \(kind.map { $0 == .static ? "random" : $0.name } ?? "random")"
  }
}

/// How a device with a resolvable private address is known to bonded centrals (Core Specification, Vol 3 Part H 2.4.2.1).
package struct DeviceIdentity: Hashable, Sendable {
  /// A static random address; nil: the adapter's address.
  package var address: DeviceAddress?
  /// The identity resolving key, 16 bytes, least significant first.
  package var resolvingKey: [UInt8]

  package init(address: DeviceAddress?, resolvingKey: [UInt8]) {
    (self.address, self.resolvingKey) = (address, resolvingKey)
  }
}
