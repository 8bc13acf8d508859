import Bluetooth

extension AdvertisingSet {
  /// What a set without an interval in the definition has: 100 ms.
  package static let usualInterval = AdvertisingInterval(units: 160)...AdvertisingInterval(units: 160)

  /// The set for an advertisement.
  ///
  /// - Parameters:
  ///   - packets: as the advertisement is laid out.
  ///   - number: 0 for the main one.
  ///   - ownAddress: the static random address of the device; nil: it has the adapter's.
  package init(
    _ advertisement: Advertisement, _ packets: AdvertisingPackets, handle: UInt8, number: Int,
    ownAddress: DeviceAddress?
  ) {
    var parameters = AdvertisingSetParameters(
      properties: advertisement.properties(packets),
      interval: advertisement.interval ?? Self.usualInterval)
    parameters.channels = advertisement.channels
    parameters.target = advertisement.target
    parameters.phy = advertisement.phy ?? .le1M
    parameters.identifier = UInt8(truncatingIfNeeded: number & 0x0F)
    self.init(
      handle: handle, parameters: parameters, address: advertisement.address?.address ?? ownAddress,
      data: packets.advertisingData.bytes, scanResponse: packets.scanResponse.bytes)
  }
}

extension Advertisement {
  fileprivate func properties(_ packets: AdvertisingPackets) -> AdvertisingSetParameters.Properties {
    var properties: AdvertisingSetParameters.Properties = phy == nil ? .legacy : []
    if isConnectable {
      properties.insert(.connectable)
      if target != nil { properties.insert(.directed) } else if phy == nil { properties.insert(.scannable) }
    } else if !packets.scanResponseFields.isEmpty || isScannable == true {
      properties.insert(.scannable)
    }
    return properties
  }
}
