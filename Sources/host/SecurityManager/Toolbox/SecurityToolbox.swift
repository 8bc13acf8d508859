import Bluetooth
import Cryptography

/// The cryptographic functions of the Security Manager (Core Specification, Vol 3 Part H 2.2).
///
/// All values have the order of bytes that they have on the air: least significant first.
package enum SecurityToolbox {
  /// The security function e (2.2.1): AES-128 with the most significant byte first.
  static func e(_ key: [UInt8], _ block: [UInt8]) -> [UInt8] {
    AES(key: key.reversed()).encrypt(block.reversed()).reversed()
  }

  /// AES-CMAC (2.2.5).
  ///
  /// - Parameter parts: in the order of the specification's concatenation.
  static func cmac(_ key: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    AES(key: key.reversed()).messageCode(of: parts.flatMap { $0.reversed() }).reversed()
  }

  /// The random address hash function ah (2.2.2).
  ///
  /// - Parameters:
  ///   - key: the identity resolving key, 16 bytes.
  ///   - random: prand, 3 bytes.
  /// - Returns: 3 bytes.
  package static func ah(_ key: [UInt8], _ random: [UInt8]) -> [UInt8] {
    Array(e(key, random + zeros(13)).prefix(3))
  }

  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

/// Both devices of a pairing, by the addresses that the link began with.
struct PairingAddresses: Hashable, Sendable {
  var central: LinkAddress
  var peripheral: LinkAddress
}

extension LinkAddress {
  /// Whether it changes: it is random and not static (Vol 6 Part B 1.3.2).
  var isPrivate: Bool { kind == .random && address.bytes[0] >> 6 != 0b11 }

  /// 0 public, 1 random.
  var typeByte: UInt8 { kind == .public ? 0 : 1 }

  /// 7 bytes: the address and, most significant, its type (2.2.7).
  var bytesWithType: [UInt8] { address.littleEndianBytes + [typeByte] }
}
