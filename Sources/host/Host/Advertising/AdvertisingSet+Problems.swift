import Bluetooth
import HCIPackets

extension AdvertisingSet {
  /// The problems of the set alone.
  func problems(_ abilities: ControllerAbilities) -> [AdvertisingProblem.Fact] {
    var facts: [AdvertisingProblem.Fact] = []
    if handle > 0xEF { facts.append(.handle) }
    if !parameters.properties.arePossible { facts.append(.properties(parameters.properties)) }
    if !isLegacy && !abilities.hasExtendedAdvertising { facts.append(.noExtendedAdvertising) }
    let intervals =
      abilities.hasExtendedAdvertising
      ? AdvertisingInterval.legacy.lowerBound...AdvertisingInterval(units: 0xFF_FFFF)
      : AdvertisingInterval.legacy
    if parameters.interval.clamped(to: intervals) != parameters.interval {
      facts.append(.interval(parameters.interval, possible: intervals))
    }
    if parameters.channels.isEmpty { facts.append(.noChannel) }
    if parameters.properties.contains(.directed) && parameters.target == nil { facts.append(.noTarget) }
    if !isLegacy && !abilities.has(parameters.phy) { facts.append(.phy(parameters.phy)) }
    if address == nil && abilities.address.isZero { facts.append(.noPublicAddress) }
    return facts + problemsOfData(abilities)
  }

  private func problemsOfData(_ abilities: ControllerAbilities) -> [AdvertisingProblem.Fact] {
    var facts: [AdvertisingProblem.Fact] = []
    let room = room(abilities)
    if data.count > room.advertisingData { facts.append(.data(data.count, most: room.advertisingData)) }
    if scanResponse.count > room.scanResponse {
      facts.append(.scanResponse(scanResponse.count, most: room.scanResponse))
    }
    if !isLegacy && parameters.properties.contains(.scannable) && scanResponse.isEmpty {
      facts.append(.noScanResponse)
    }
    return facts
  }

  private var isLegacy: Bool { parameters.properties.contains(.legacy) }

  /// The room in the packets of this kind of advertising (Core Specification, Vol 4 Part E 7.8.53 to 7.8.55).
  func room(_ abilities: ControllerAbilities) -> PacketCapacity {
    let properties = parameters.properties
    let most = isLegacy ? AdvertisingData.legacyCapacity : abilities.mostAdvertisingData
    guard !isLegacy else {
      return PacketCapacity(
        advertisingData: properties.contains(.directed) ? 0 : most,
        scanResponse: properties.contains(.scannable) ? most : 0)
    }
    guard !properties.contains(.scannable) else {
      return PacketCapacity(advertisingData: 0, scanResponse: most)
    }
    guard properties.contains(.connectable) else {
      return PacketCapacity(advertisingData: most, scanResponse: 0)
    }
    let target = properties.contains(.directed) ? PacketCapacity.targetAddress : 0
    return PacketCapacity(advertisingData: min(most, PacketCapacity.onePacket - target), scanResponse: 0)
  }
}

extension AdvertisingSetParameters.Properties {
  /// Whether there is advertising of this kind (7.8.53): of the legacy packets ADV_IND, ADV_DIRECT_IND, ADV_SCAN_IND and
  /// ADV_NONCONN_IND, and of extended ones any, but not both connectable and scannable.
  fileprivate var arePossible: Bool {
    switch subtracting([.directed, .highDutyCycle]) {
    case [.legacy, .connectable]: contains(.directed)
    case [.legacy, .connectable, .scannable], [.legacy, .scannable], .legacy:
      isDisjoint(with: [.directed, .highDutyCycle])
    case [], .connectable, .scannable, .anonymous: !contains(.highDutyCycle)
    default: false
    }
  }
}

extension ControllerAbilities {
  fileprivate func has(_ phy: AdvertisingPHY) -> Bool {
    switch phy {
    case .le1M: true
    case .le2M: hasLE2M
    case .coded: hasLECoded
    }
  }
}
