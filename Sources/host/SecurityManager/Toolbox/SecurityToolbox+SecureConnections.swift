import Bluetooth

// The functions of LE Secure Connections.
extension SecurityToolbox {
  /// The confirm value generation function f4 (Vol 3 Part H 2.2.6).
  ///
  /// - Parameters:
  ///   - u, v: the X coordinates of two public keys, 32 bytes.
  ///   - x: 16 bytes.
  static func f4(_ u: [UInt8], _ v: [UInt8], _ x: [UInt8], _ z: UInt8) -> [UInt8] { cmac(x, u, v, [z]) }

  /// The keys of a pairing, 16 bytes each.
  struct CheckedKeys: Hashable, Sendable {
    /// The key of ``f6(_:_:_:_:_:_:_:)``.
    var macKey: [UInt8]
    var longTermKey: [UInt8]
  }

  /// The key generation function f5 (2.2.7).
  ///
  /// - Parameters:
  ///   - secret: the DHKey, 32 bytes.
  ///   - central, peripheral: their random values, 16 bytes.
  static func f5(
    _ secret: [UInt8], central: [UInt8], peripheral: [UInt8], _ addresses: PairingAddresses
  ) -> CheckedKeys {
    let key = cmac(salt, secret)
    func part(_ counter: UInt8) -> [UInt8] {
      cmac(
        key, [counter], keyIdentifier, central, peripheral, addresses.central.bytesWithType,
        addresses.peripheral.bytesWithType, lengthOfKey)
    }
    return CheckedKeys(macKey: part(0), longTermKey: part(1))
  }

  private static let salt: [UInt8] = [
    0xBE, 0x83, 0x60, 0x5A, 0xDB, 0x0B, 0x37, 0x60, 0x38, 0xA5, 0xF5, 0xAA, 0x91, 0x83, 0x88, 0x6C,
  ]
  /// "btle", most significant byte last.
  private static let keyIdentifier: [UInt8] = [0x65, 0x6C, 0x74, 0x62]
  /// 256 bits.
  private static let lengthOfKey: [UInt8] = [0x00, 0x01]

  /// The check value generation function f6 (2.2.8).
  ///
  /// - Parameters:
  ///   - macKey: 16 bytes.
  ///   - n1, n2, r: 16 bytes.
  ///   - capabilities: IO capability, OOB data flag and AuthReq, as in the Pairing Request.
  static func f6(
    _ macKey: [UInt8], _ n1: [UInt8], _ n2: [UInt8], _ r: [UInt8], _ capabilities: [UInt8],
    _ a1: LinkAddress, _ a2: LinkAddress
  ) -> [UInt8] {
    cmac(macKey, n1, n2, r, capabilities, a1.bytesWithType, a2.bytesWithType)
  }

  /// The numeric comparison value generation function g2 (2.2.9), and its six decimal digits.
  static func g2(_ u: [UInt8], _ v: [UInt8], _ x: [UInt8], _ y: [UInt8]) -> (value: UInt32, digits: UInt32) {
    let code = cmac(x, u, v, y)
    let value = code.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return (value, value % 1_000_000)
  }
}
