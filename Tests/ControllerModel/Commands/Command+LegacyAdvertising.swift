import Bluetooth

// Vol 4 Part E 7.8.4 to 7.8.9
extension Command {
  static let legacyAdvertising: [UInt16: Self] = [
    // LE Set Random Address
    0x2005: Self(25, 4, length: 6) { controller, parameters throws(HCIError) in
      guard !controller.usesRandomAddress else { throw .commandDisallowed }
      controller.state.randomAddress = try parameters.address()
      return []
    },
    // LE Set Advertising Parameters
    0x2006: Self(25, 5, length: 15, family: .legacy) { controller, parameters throws(HCIError) in
      try controller.setLegacyParameters(&parameters)
      return []
    },
    // LE Read Advertising Physical Channel Tx Power
    0x2007: Self(25, 6, family: .legacy) { _, _ in [4] },
    // LE Set Advertising Data
    0x2008: Self(25, 7, length: 32, family: .legacy) { controller, parameters throws(HCIError) in
      let count = try parameters.byte(0...31)
      controller.legacyAdvertiser.data.bytes = try parameters.bytes(Int(count))
      return []
    },
    // LE Set Scan Response Data
    0x2009: Self(26, 0, length: 32, family: .legacy) { controller, parameters throws(HCIError) in
      let count = try parameters.byte(0...31)
      controller.legacyAdvertiser.scanResponse.bytes = try parameters.bytes(Int(count))
      return []
    },
    // LE Set Advertising Enable
    0x200A: Self(26, 1, length: 1, family: .legacy) { controller, parameters throws(HCIError) in
      try controller.enableLegacyAdvertising(try parameters.flag())
      return []
    },
  ]
}

extension Controller {
  /// Whether the random address may not change: it is in use by the legacy commands, by scanning or by initiating.
  fileprivate var usesRandomAddress: Bool {
    state.advertisers[Self.legacyHandle]?.activity != nil || state.scanner.activity != nil
      || state.initiator != nil
  }

  fileprivate var legacyAdvertiser: Advertiser {
    get { state.advertisers[Self.legacyHandle] ?? .legacyDefault }
    set { state.advertisers[Self.legacyHandle] = newValue }
  }

  /// Shortest and longest interval, type, own address type, target, channels, filter policy.
  fileprivate mutating func setLegacyParameters(_ parameters: inout Parameters) throws(HCIError) {
    guard legacyAdvertiser.activity == nil else { throw .commandDisallowed }
    let (shortest, longest) = (try parameters.number(), try parameters.number())
    let type = try parameters.byte(0...4)
    let ownAddressType = try parameters.byte(0...3)
    let target = try parameters.linkAddress()
    _ = try parameters.byte(1...7)
    let filterPolicy = try parameters.byte(0...3)
    let possible: ClosedRange<UInt16> = 0x0020...0x4000
    guard type == 1 || possible.contains(shortest) && possible.contains(longest) && shortest <= longest
    else { throw .invalidParameters }
    // The numbers of ADV_DIRECT_IND with low duty cycle, ADV_SCAN_IND and ADV_NONCONN_IND are 4, 2, 3.
    let properties = Advertiser.Properties.legacyKinds[[0, 1, 3, 4, 2][Int(type)]]
    let isDirected = properties.contains(.directed)
    legacyAdvertiser.properties = properties
    legacyAdvertiser.interval = type == 1 ? 3750 : Int64(longest) * 625
    legacyAdvertiser.ownAddressType = ownAddressType
    legacyAdvertiser.target = isDirected ? target : nil
    legacyAdvertiser.filterPolicy = isDirected ? 0 : filterPolicy
  }

  fileprivate mutating func enableLegacyAdvertising(_ isEnabled: Bool) throws(HCIError) {
    guard isEnabled else { return legacyAdvertiser.activity = nil }
    guard ownAddress(type: legacyAdvertiser.ownAddressType, random: state.randomAddress) != nil else {
      throw .invalidParameters
    }
    if legacyAdvertiser.properties.contains(.connectable), !hasRoomForLink { throw .connectionLimitExceeded }
    guard legacyAdvertiser.activity == nil else { return }
    let isHighDuty = legacyAdvertiser.properties.contains(.highDuty)
    legacyAdvertiser.activity = Advertiser.Activity(
      nextEvent: firstAdvertisingEvent(), end: isHighDuty ? now.advanced(by: .milliseconds(1280)) : nil)
  }
}
