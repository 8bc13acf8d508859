/// What a device stores about a central with which it is bonded (Core Specification, Vol 3 Part C 9.4.4).
package struct Bond: Hashable, Sendable {
  /// The central's identity address.
  package var peer: LinkAddress
  /// Empty if another program or object keeps them: bluetoothd, or the central in memory.
  package var longTermKeys: [LongTermKey]
  /// 16 bytes; nil: the central has sent none.
  package var identityResolvingKey: [UInt8]?
  /// The Client Characteristic Configurations that the central has written, by the id of the characteristic (Vol 3 Part G
  /// 3.3.3.3).
  package var configurations: [String: UInt16]
  /// The features that the central has announced (Vol 3 Part G 7.2).
  package var features: ClientFeatures = []
  /// The fingerprint of the attributes that the central knows, 8 bytes; nil: none yet.
  package var table: [UInt8]?
  package static let tableSize = 8
  /// Marks a central that does not know of a change, and may know parts of both tables.
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
  /// The kernel's number for the origin of the key: 0 unauthenticated, 1 authenticated, 2 and 3 likewise by LE Secure
  /// Connections, 4 a debug key.
  package var kind: UInt8
  /// Whether this device uses it as a central: the other one has sent it. A key of LE Secure Connections serves both roles, and
  /// has false here.
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

extension LongTermKey {
  /// The protection of a link that it encrypts.
  package var security: LinkSecurity {
    switch kind {
    case 1: LinkSecurity(.authenticated, keySize: size)
    case 3: LinkSecurity(size == 16 ? .secureConnections : .authenticated, keySize: size)
    default: LinkSecurity(.encrypted, keySize: size)
    }
  }
}
