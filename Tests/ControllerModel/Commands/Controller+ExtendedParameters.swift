import Bluetooth

// LE Set Extended Advertising Parameters (Vol 4 Part E 7.8.53)
extension Controller {
  /// Returns the transmit power.
  mutating func setExtendedParameters(_ parameters: inout Parameters) throws(HCIError) -> [UInt8] {
    let handle = Int(try parameters.byte(0...0xEF))
    let old = state.advertisers[handle]
    var new = try Self.advertiser(&parameters)
    for phy in [new.primaryPHY, new.secondaryPHY] where traits.features.phys >> (phy - 1) & 1 == 0 {
      throw .unsupportedFeature
    }
    guard old?.activity == nil else { throw .commandDisallowed }
    guard old != nil || state.advertisers.count < traits.advertisingSetCount else {
      throw .memoryCapacityExceeded
    }
    if let old {
      (new.randomAddress, new.data, new.scanResponse) = (old.randomAddress, old.data, old.scanResponse)
    }
    try Self.check(new)
    state.advertisers[handle] = new
    return [8]
  }

  /// Properties, shortest and longest interval, channels, own address type, target, filter policy, transmit power, primary PHY,
  /// secondary packets to skip, secondary PHY, set identifier, whether scan requests are reported.
  private static func advertiser(_ parameters: inout Parameters) throws(HCIError) -> Advertiser {
    let properties = Advertiser.Properties(rawValue: try parameters.number(0...0x7F))
    let (shortest, longest) = (try parameters.wide(3), try parameters.wide(3))
    guard shortest >= 0x20 && shortest <= longest || properties.contains(.highDuty) else {
      throw .invalidParameters
    }
    _ = try parameters.byte(1...7)
    let ownAddressType = try parameters.byte(0...3)
    let target = try parameters.linkAddress()
    let filterPolicy = try parameters.byte(0...3)
    let power = try parameters.byte()
    guard (-127...20).contains(Int8(bitPattern: power)) || power == 0x7F else { throw .invalidParameters }
    let primaryPHY = try parameters.byte(1...3)
    _ = try parameters.byte()
    let secondaryPHY = try parameters.byte(1...3)
    var advertiser = Advertiser(
      properties: properties, interval: properties.contains(.highDuty) ? 3750 : Int64(longest) * 625,
      ownAddressType: ownAddressType, target: properties.contains(.directed) ? target : nil,
      filterPolicy: properties.contains(.directed) ? 0 : filterPolicy, primaryPHY: primaryPHY,
      secondaryPHY: secondaryPHY)
    advertiser.identifier = try parameters.byte(0...15)
    advertiser.reportsScans = try parameters.flag()
    return advertiser
  }

  /// Whether the properties go together, and with the data that is there.
  private static func check(_ set: Advertiser) throws(HCIError) {
    let properties = set.properties
    guard set.primaryPHY != 2 else { throw .invalidParameters }
    if properties.contains(.legacy) {
      guard Advertiser.Properties.legacyKinds.contains(properties), set.primaryPHY == 1,
        set.data.bytes.count <= 31, set.scanResponse.bytes.count <= 31
      else { throw .invalidParameters }
    } else {
      let isBoth = properties.isSuperset(of: [.connectable, .scannable])
      let isAnonymousAnswering =
        properties.contains(.anonymous) && !properties.isDisjoint(with: [.connectable, .scannable])
      guard !isBoth, !isAnonymousAnswering, !properties.contains(.highDuty) else { throw .invalidParameters }
    }
  }
}
