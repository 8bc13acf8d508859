/// What a device asks of a pairing: AuthReq (Core Specification, Vol 3 Part H 3.5.1).
package struct AuthenticationRequirements: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It keeps the keys: the first of the two bits of Bonding_Flags, of which the other is reserved.
  package static let bonding = Self(rawValue: 0x01)
  /// Protection against a man in the middle (MITM).
  package static let authentication = Self(rawValue: 0x04)
  package static let secureConnections = Self(rawValue: 0x08)
}

/// The keys that a device distributes (3.6.1).
package struct KeyKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The long-term key, of LE legacy pairing only.
  package static let encryption = Self(rawValue: 0x01)
  /// The identity resolving key and the identity address.
  package static let identity = Self(rawValue: 0x02)
  /// The connection signature resolving key.
  package static let signature = Self(rawValue: 0x04)
}
