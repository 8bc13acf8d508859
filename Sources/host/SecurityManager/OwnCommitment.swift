import Cryptography

/// The key pair that a device uses in the next pairing, with a random value.
package struct OwnCommitment: Hashable, Sendable {
  package let privateKey: P256.PrivateKey
  package let random: [UInt8]

  /// - Parameter random: 16 bytes.
  package init(_ privateKey: P256.PrivateKey, random: [UInt8]) {
    (self.privateKey, self.random) = (privateKey, random)
  }

  /// What the other device has to know.
  package var commitment: OutOfBandData.Commitment {
    let x = privateKey.publicKey.airX
    return OutOfBandData.Commitment(confirm: SecurityToolbox.f4(x, x, random, 0), random: random)
  }
}

extension P256.Point {
  /// The X coordinate as on the air, least significant byte first.
  var airX: [UInt8] { x.reversed() }
  var airY: [UInt8] { y.reversed() }
}

extension P256.PrivateKey {
  /// The private key of the key pair that everyone knows (Core Specification, Vol 3 Part H 2.3.5.6.1).
  package static let debug = Self([
    0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50,
    0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
  ])!

  /// Makes a key of random bytes.
  ///
  /// - Parameter random: 32 bytes. The two highest bits become 01, so that the number is always in range.
  init(drawn random: [UInt8]) {
    guard let key = Self([random[0] & 0x3F | 0x40] + random.dropFirst()) else {
      preconditionFailure("a number between 2^254 and 2^255 is a private key")
    }
    self = key
  }
}
