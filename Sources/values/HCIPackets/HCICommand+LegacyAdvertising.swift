import Bluetooth

// The only advertising set of a controller without extended advertising (Vol 4 Part E 7.8.4 to 7.8.9)
extension HCICommand {
  /// LE Set Random Address: that of legacy advertising, of scanning and of initiating, none of which may be in progress.
  package static func setRandomAddress(_ address: DeviceAddress) -> Self {
    Self(.setRandomAddress, address.littleEndianBytes)
  }

  /// LE Set Advertising Parameters. The controller takes them only while it does not advertise.
  ///
  ///     A0 00  A0 00  00  01  00  00 00 00 00 00 00  07  00
  ///     shortest and longest interval, type, kind of own address, kind of the target and its address, channels, filter policy
  package static func setLegacyParameters(_ set: AdvertisingSet) -> Self {
    let (parameters, target) = (set.parameters, set.parameters.target)
    let ends = [parameters.interval.lowerBound, parameters.interval.upperBound]
    var bytes = ends.flatMap { UInt16(clamping: $0.units).littleEndianBytes }
    bytes += [parameters.properties.legacyType, set.address == nil ? 0 : 1, target?.kind == .random ? 1 : 0]
    bytes += target?.address.littleEndianBytes ?? [UInt8](repeating: 0, count: 6)
    bytes += [parameters.channels.rawValue, parameters.filterPolicy]
    return Self(.setAdvertisingParameters, bytes)
  }

  /// LE Set Advertising Data.
  ///
  /// - Parameter data: at most 31 bytes.
  package static func setLegacyData(_ data: [UInt8]) -> Self {
    Self(.setAdvertisingData, legacyPacket(data))
  }

  /// LE Set Scan Response Data, likewise.
  package static func setLegacyScanResponse(_ data: [UInt8]) -> Self {
    Self(.setScanResponseData, legacyPacket(data))
  }

  /// LE Set Advertising Enable.
  package static func setLegacyEnabled(_ isEnabled: Bool) -> Self {
    Self(.setAdvertisingEnable, [isEnabled ? 1 : 0])
  }

  /// The length, the data, and zeros up to 31 bytes.
  private static func legacyPacket(_ data: [UInt8]) -> [UInt8] {
    let data = Array(data.prefix(AdvertisingData.legacyCapacity))
    let zeros = [UInt8](repeating: 0, count: AdvertisingData.legacyCapacity - data.count)
    return [UInt8(data.count)] + data + zeros
  }
}

extension AdvertisingSetParameters.Properties {
  /// Advertising_Type: ADV_IND, directed with a high duty cycle, ADV_SCAN_IND, ADV_NONCONN_IND, directed with a low one.
  fileprivate var legacyType: UInt8 {
    guard !contains(.directed) else { return contains(.highDutyCycle) ? 0x01 : 0x04 }
    return contains(.connectable) ? 0x00 : contains(.scannable) ? 0x02 : 0x03
  }
}
