import Bluetooth

// What a host asks of its controller about a link.
extension HCICommand {
  /// Disconnect (7.1.6).
  ///
  /// - Parameter reason: one of ``HCIError/reasonsToDisconnect``.
  package static func disconnect(_ handle: LinkHandle, _ reason: HCIError) -> Self {
    Self(.disconnect, handle.littleEndianBytes + [reason.rawValue])
  }

  /// Read RSSI (7.5.4).
  package static func readRSSI(_ handle: LinkHandle) -> Self { Self(.readRSSI, handle.littleEndianBytes) }

  /// LE Set PHY (7.8.49): only these.
  package static func setPHY(_ handle: LinkHandle, _ phys: Directions<PHY>) -> Self {
    let bits = [phys.sent, phys.received].map { UInt8(1) << ($0.rawValue - 1) }
    return Self(.setPHY, handle.littleEndianBytes + [0] + bits + [0, 0])
  }

  /// LE Set Data Length (7.8.33): with the time that so many bytes take on LE 1M (Vol 6 Part B 4.5.10).
  package static func setDataLength(_ handle: LinkHandle, _ bytes: UInt16) -> Self {
    Self(
      .setDataLength,
      handle.littleEndianBytes + bytes.littleEndianBytes + ((bytes + 14) * 8).littleEndianBytes)
  }

  /// LE Enable Encryption (7.8.24), for a central.
  ///
  /// - Parameters:
  ///   - rand: 8 bytes, the least significant first.
  ///   - key: 16 bytes, the least significant first.
  package static func encrypt(_ handle: LinkHandle, key: [UInt8], rand: [UInt8], diversifier: UInt16) -> Self
  {
    Self(.enableEncryption, handle.littleEndianBytes + rand + diversifier.littleEndianBytes + key)
  }

  /// LE Long Term Key Request Reply (7.8.25).
  ///
  /// - Parameter key: 16 bytes, the least significant first.
  package static func giveLongTermKey(_ key: [UInt8], _ handle: LinkHandle) -> Self {
    Self(.giveLongTermKey, handle.littleEndianBytes + key)
  }

  /// LE Long Term Key Request Negative Reply (7.8.26).
  package static func refuseLongTermKey(_ handle: LinkHandle) -> Self {
    Self(.refuseLongTermKey, handle.littleEndianBytes)
  }

  /// LE Remote Connection Parameter Request Reply (7.8.31).
  package static func accept(_ wanted: PreferredConnectionParameters, _ handle: LinkHandle) -> Self {
    let lengths: [UInt8] = [0, 0, 0, 0]  // of connection events: any
    return Self(.acceptParameters, handle.littleEndianBytes + wanted.characteristicValue + lengths)
  }

  /// LE Remote Connection Parameter Request Negative Reply (7.8.32).
  package static func refuseParameters(_ handle: LinkHandle, _ reason: HCIError) -> Self {
    Self(.refuseParameters, handle.littleEndianBytes + [reason.rawValue])
  }
}
