import Bluetooth

// The functions of LE legacy pairing.
extension SecurityToolbox {
  /// The confirm value generation function c1 (Vol 3 Part H 2.2.3).
  ///
  /// - Parameters:
  ///   - key: the temporary key, 16 bytes.
  ///   - random: 16 bytes.
  ///   - request, response: the 7 bytes of the Pairing Request and of the Pairing Response.
  static func c1(
    _ key: [UInt8], _ random: [UInt8], request: [UInt8], response: [UInt8], _ addresses: PairingAddresses
  ) -> [UInt8] {
    let (central, peripheral) = (addresses.central, addresses.peripheral)
    let p1 = [central.typeByte, peripheral.typeByte] + request + response
    let p2 = peripheral.address.littleEndianBytes + central.address.littleEndianBytes + zeros(4)
    return e(key, xor(e(key, xor(random, p1)), p2))
  }

  /// The key generation function s1 (2.2.4): the short-term key.
  ///
  /// - Parameters peripheral, central: their random values, 16 bytes.
  static func s1(_ key: [UInt8], peripheral: [UInt8], central: [UInt8]) -> [UInt8] {
    e(key, Array(central.prefix(8)) + peripheral.prefix(8))
  }

  private static func xor(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }
}
