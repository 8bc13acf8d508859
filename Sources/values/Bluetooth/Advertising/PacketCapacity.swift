/// How many bytes of advertising data and of scan response an advertisement can have.
package struct PacketCapacity: Hashable, Sendable {
  package var advertisingData: Int
  package var scanResponse: Int

  package init(advertisingData: Int, scanResponse: Int) {
    (self.advertisingData, self.scanResponse) = (advertisingData, scanResponse)
  }

  package static let legacy = Self(
    advertisingData: AdvertisingData.legacyCapacity, scanResponse: AdvertisingData.legacyCapacity)

  /// The most that extended advertising can have, in a chain of packets (Core Specification, Vol 4 Part E 7.8.54).
  fileprivate static let chain = 1650
  /// The room in the 255 bytes of a packet on a secondary channel, without the length of the extended header, its flags,
  /// AdvA and ADI (Vol 6 Part B 2.3.4).
  package static let onePacket = 255 - 2 - 6 - 2
  package static let targetAddress = 6
}

extension Advertisement {
  /// The room in the packets of this kind of advertising (Vol 4 Part E 7.8.53 to 7.8.55): a directed legacy packet has no
  /// data; a connectable extended advertisement has one packet and no scan response; a scannable one only a scan response.
  package var capacity: PacketCapacity {
    guard phy != nil else {
      var capacity = PacketCapacity.legacy
      if target != nil { capacity.advertisingData = 0 }
      if target != nil || !isConnectable && isScannable == false { capacity.scanResponse = 0 }
      return capacity
    }
    if isConnectable {
      let room = PacketCapacity.onePacket - (target == nil ? 0 : PacketCapacity.targetAddress)
      return PacketCapacity(advertisingData: room, scanResponse: 0)
    }
    return isScannable == true
      ? PacketCapacity(advertisingData: 0, scanResponse: PacketCapacity.chain)
      : PacketCapacity(advertisingData: PacketCapacity.chain, scanResponse: 0)
  }
}
