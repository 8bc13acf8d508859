/// The kind of a random address, in its two highest bits (Core Specification, Vol 6 Part B 1.3.2).
package enum RandomAddressKind: UInt8, Hashable, Sendable {
  case nonResolvable = 0b00, resolvable = 0b01, `static` = 0b11

  package var name: String {
    switch self {
    case .nonResolvable: "non-resolvable"
    case .resolvable: "resolvable"
    case .static: "static"
    }
  }
}

extension DeviceAddress {
  /// What it is as a random address; nil: the specification reserves its kind.
  package var randomKind: RandomAddressKind? { RandomAddressKind(rawValue: bytes[0] >> 6) }

  /// The static address that has these bytes except for its two highest bits. Where all others are 0 or all are 1, which is not
  /// allowed, the lowest one is the other value.
  ///
  /// - Parameter bytes: most significant first; nil unless there are six.
  package init?(static bytes: [UInt8]) { self.init(.static, bytes) }

  /// A non-resolvable private address (1.3.2.2), likewise.
  package init?(nonResolvable bytes: [UInt8]) { self.init(.nonResolvable, bytes) }

  private init?(_ kind: RandomAddressKind, _ bytes: [UInt8]) {
    guard bytes.count == 6 else { return nil }
    self.init(RandomAddressKind.random(bytes, of: kind))
  }
}

extension RandomAddressKind {
  /// The bytes of a random part, of this kind and with neither all 0 nor all 1 in the other bits.
  package static func random(_ bytes: [UInt8], of kind: Self) -> [UInt8] {
    var bytes = bytes
    bytes[0] &= 0x3F
    let isZero = bytes.allSatisfy { $0 == 0 }
    if isZero || bytes[0] == 0x3F && bytes.dropFirst().allSatisfy({ $0 == 0xFF }) {
      bytes[bytes.count - 1] ^= 1
    }
    bytes[0] |= kind.rawValue << 6
    return bytes
  }
}
