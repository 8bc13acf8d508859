import Bluetooth
import SecurityManager

extension LinkAddress {
  /// Whether it is a resolvable private address that was made with this key (Core Specification, Vol 6 Part B 1.3.2.3).
  ///
  ///     7A 9C 41  22 B0 5E    hash, prand: the two highest bits of the last byte are 01
  ///
  /// - Parameter key: an identity resolving key, 16 bytes.
  package func isResolved(by key: [UInt8]) -> Bool {
    let bytes = address.littleEndianBytes
    guard kind == .random, bytes[5] >> 6 == 0b01, key.count == 16 else { return false }
    return SecurityToolbox.ah(key, Array(bytes[3...])) == Array(bytes[..<3])
  }
}
