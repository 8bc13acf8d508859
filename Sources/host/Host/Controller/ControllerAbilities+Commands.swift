import HCIPackets

extension ControllerAbilities {
  /// Whether the controller has a command. Of commands that every controller of LE has, or that are not in the table, it is true.
  package func has(_ opcode: HCIOpcode) -> Bool {
    guard let place = Self.places[opcode], !commands.isEmpty else { return true }
    return place.octet < commands.count && commands[place.octet] & 1 << place.bit != 0
  }

  /// Where Supported Commands says of a command whether there is one (Vol 4 Part E 6.27).
  private static let places: [HCIOpcode: (octet: Int, bit: Int)] = [
    .readRSSI: (15, 5),
    .setLowEnergyHostSupport: (24, 6),
    .readLowEnergyBufferSize: (25, 1),
    .readAcceptListSize: (26, 6),
    .acceptParameters: (33, 4),
    .refuseParameters: (33, 5),
    .setDataLength: (33, 6),
    .setSuggestedDataLength: (34, 0),
    .addToResolvingList: (34, 3),
    .readResolvingListSize: (34, 6),
    .setAddressResolutionEnable: (35, 1),
    .setPrivateAddressTimeout: (35, 2),
    .readMaximumDataLength: (35, 3),
    .readPHY: (35, 4),
    .setDefaultPHY: (35, 5),
    .setPHY: (35, 6),
    .setAdvertisingSetRandomAddress: (36, 1),
    .setExtendedAdvertisingParameters: (36, 2),
    .setExtendedAdvertisingData: (36, 3),
    .setExtendedScanResponseData: (36, 4),
    .setExtendedAdvertisingEnable: (36, 5),
    .readMaximumAdvertisingDataLength: (36, 6),
    .readAdvertisingSetCount: (36, 7),
    .removeAdvertisingSet: (37, 0),
    .clearAdvertisingSets: (37, 1),
    .setExtendedScanParameters: (37, 5),
    .setExtendedScanEnable: (37, 6),
    .createConnectionExtended: (37, 7),
    .setPrivacyMode: (39, 2),
  ]
}
