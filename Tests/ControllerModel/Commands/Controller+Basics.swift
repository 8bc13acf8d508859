import Bluetooth
import Cryptography

extension Controller {
  /// Ends everything without telling anybody; the other ends of links notice that nothing comes (Vol 4 Part E 7.3.2).
  mutating func reset() { state = State() }

  /// The security function e (Vol 3 Part H 2.2.1) of bytes with the least significant first.
  static func encrypt(_ block: [UInt8], key: [UInt8]) -> [UInt8] {
    AES(key: key.reversed()).encrypt(block.reversed()).reversed()
  }

  /// The types of this side's address (7.8.5): public, random, and the two resolvable kinds with one of them in reserve.
  ///
  /// - Returns: nil if it is a random one that the host has not set.
  func ownAddress(type: UInt8, random: DeviceAddress?) -> LinkAddress? {
    guard type & 1 == 1 else { return LinkAddress(traits.address) }
    return random.map { LinkAddress($0, .random) }
  }
}
