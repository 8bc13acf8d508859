/// What a device keeps of a central that it is bonded with (Core Specification, Vol 3 Part C 9.4.4).
package struct Bond: Hashable, Sendable {
  /// The central's identity address.
  package var peer: LinkAddress
  /// Empty: somebody else keeps them, bluetoothd or the central in memory.
  package var longTermKeys: [LongTermKey]
  /// 16 bytes; nil: the central has sent none.
  package var identityResolvingKey: [UInt8]?
  /// The Client Characteristic Configurations that the central has written, by the id of the characteristic (Vol 3 Part G
  /// 3.3.3.3).
  package var configurations: [String: UInt16]
  /// What the central has said that it supports (Vol 3 Part G 7.2).
  package var features: ClientFeatures = []
  /// The fingerprint of the attributes that the central knows, 8 bytes; nil: none yet.
  package var table: [UInt8]?
  package static let tableSize = 8
  /// What a central that has not heard of a change knows: perhaps parts of both tables.
  package static let outdatedTable = [UInt8](repeating: 0, count: tableSize)

  package init(
    with peer: LinkAddress, longTermKeys: [LongTermKey] = [], identityResolvingKey: [UInt8]? = nil,
    configurations: [String: UInt16] = [:]
  ) {
    (self.peer, self.longTermKeys) = (peer, longTermKeys)
    (self.identityResolvingKey, self.configurations) = (identityResolvingKey, configurations)
  }
}

/// A key that encrypts the links to a central (bluez: doc/mgmt-api.txt, Load Long Term Keys).
package struct LongTermKey: Hashable, Sendable {
  /// The kernel's number of how the key came about: 0 unauthenticated, 1 authenticated, 2 and 3 likewise by LE Secure
  /// Connections, 4 a debug key.
  package var kind: UInt8
  /// Whether it is the key of the central's role.
  package var isOfCentral: Bool
  /// 7 to 16 bytes.
  package var size: Int
  package var ediv: UInt16
  /// 8 bytes.
  package var rand: [UInt8]
  /// 16 bytes.
  package var value: [UInt8]

  package init(kind: UInt8, isOfCentral: Bool, size: Int, ediv: UInt16, rand: [UInt8], value: [UInt8]) {
    (self.kind, self.isOfCentral, self.size) = (kind, isOfCentral, size)
    (self.ediv, self.rand, self.value) = (ediv, rand, value)
  }
}
