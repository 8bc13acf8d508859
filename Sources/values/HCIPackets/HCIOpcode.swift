import Bluetooth

/// The number of an HCI command: a group in the highest 6 bits, a command in it (Core Specification, Vol 4 Part E 5.4.1).
package struct HCIOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  // Link control (Vol 4 Part E 7.1)
  package static let disconnect = Self(rawValue: 0x0406)
  package static let readRemoteVersion = Self(rawValue: 0x041D)

  // The controller (7.3, 7.4)
  package static let setEventMask = Self(rawValue: 0x0C01)
  package static let reset = Self(rawValue: 0x0C03)
  package static let setSecondEventMask = Self(rawValue: 0x0C63)
  package static let setLowEnergyHostSupport = Self(rawValue: 0x0C6D)
  package static let readLocalVersion = Self(rawValue: 0x1001)
  package static let readSupportedCommands = Self(rawValue: 0x1002)
  package static let readSupportedFeatures = Self(rawValue: 0x1003)
  package static let readBufferSize = Self(rawValue: 0x1005)
  package static let readAddress = Self(rawValue: 0x1009)
  package static let readRSSI = Self(rawValue: 0x1405)

  // LE (7.8)
  package static let setLowEnergyEventMask = Self(rawValue: 0x2001)
  package static let readLowEnergyBufferSize = Self(rawValue: 0x2002)
  package static let readLowEnergyFeatures = Self(rawValue: 0x2003)
  package static let setRandomAddress = Self(rawValue: 0x2005)
  package static let setAdvertisingParameters = Self(rawValue: 0x2006)
  package static let setAdvertisingData = Self(rawValue: 0x2008)
  package static let setScanResponseData = Self(rawValue: 0x2009)
  package static let setAdvertisingEnable = Self(rawValue: 0x200A)
  package static let setScanParameters = Self(rawValue: 0x200B)
  package static let setScanEnable = Self(rawValue: 0x200C)
  package static let createConnection = Self(rawValue: 0x200D)
  package static let cancelConnection = Self(rawValue: 0x200E)
  package static let readAcceptListSize = Self(rawValue: 0x200F)
  package static let clearAcceptList = Self(rawValue: 0x2010)
  package static let addToAcceptList = Self(rawValue: 0x2011)
  package static let removeFromAcceptList = Self(rawValue: 0x2012)
  package static let updateConnection = Self(rawValue: 0x2013)
  package static let readRemoteFeatures = Self(rawValue: 0x2016)
  package static let enableEncryption = Self(rawValue: 0x2019)
  package static let giveLongTermKey = Self(rawValue: 0x201A)
  package static let refuseLongTermKey = Self(rawValue: 0x201B)
  package static let acceptParameters = Self(rawValue: 0x2020)
  package static let refuseParameters = Self(rawValue: 0x2021)
  package static let setDataLength = Self(rawValue: 0x2022)
  package static let setSuggestedDataLength = Self(rawValue: 0x2024)
  package static let addToResolvingList = Self(rawValue: 0x2027)
  package static let removeFromResolvingList = Self(rawValue: 0x2028)
  package static let clearResolvingList = Self(rawValue: 0x2029)
  package static let readResolvingListSize = Self(rawValue: 0x202A)
  package static let setAddressResolutionEnable = Self(rawValue: 0x202D)
  package static let setPrivateAddressTimeout = Self(rawValue: 0x202E)
  package static let readMaximumDataLength = Self(rawValue: 0x202F)
  package static let readPHY = Self(rawValue: 0x2030)
  package static let setDefaultPHY = Self(rawValue: 0x2031)
  package static let setPHY = Self(rawValue: 0x2032)
  package static let setAdvertisingSetRandomAddress = Self(rawValue: 0x2035)
  package static let setExtendedAdvertisingParameters = Self(rawValue: 0x2036)
  package static let setExtendedAdvertisingData = Self(rawValue: 0x2037)
  package static let setExtendedScanResponseData = Self(rawValue: 0x2038)
  package static let setExtendedAdvertisingEnable = Self(rawValue: 0x2039)
  package static let readMaximumAdvertisingDataLength = Self(rawValue: 0x203A)
  package static let readAdvertisingSetCount = Self(rawValue: 0x203B)
  package static let removeAdvertisingSet = Self(rawValue: 0x203C)
  package static let clearAdvertisingSets = Self(rawValue: 0x203D)
  package static let setExtendedScanParameters = Self(rawValue: 0x2041)
  package static let setExtendedScanEnable = Self(rawValue: 0x2042)
  package static let createConnectionExtended = Self(rawValue: 0x2043)
  package static let setPrivacyMode = Self(rawValue: 0x204E)

  // The virtual radio (tools/radio)
  package static let moveOnRadio = Self(rawValue: 0xFCB1)
}

extension HCIOpcode: CustomStringConvertible {
  /// The specification's name, such as "LE Remove Advertising Set".
  package var description: String {
    Self.names[self] ?? "HCI command 0x\(rawValue.hexadecimal(digits: 4))"
  }

  private static let names: [Self: String] = [
    .disconnect: "Disconnect",
    .readRemoteVersion: "Read Remote Version Information",
    .setEventMask: "Set Event Mask",
    .reset: "Reset",
    .setSecondEventMask: "Set Event Mask Page 2",
    .setLowEnergyHostSupport: "Write LE Host Support",
    .readLocalVersion: "Read Local Version Information",
    .readSupportedCommands: "Read Local Supported Commands",
    .readSupportedFeatures: "Read Local Supported Features",
    .readBufferSize: "Read Buffer Size",
    .readAddress: "Read BD_ADDR",
    .readRSSI: "Read RSSI",
    .setLowEnergyEventMask: "LE Set Event Mask",
    .readLowEnergyBufferSize: "LE Read Buffer Size",
    .readLowEnergyFeatures: "LE Read Local Supported Features",
    .setRandomAddress: "LE Set Random Address",
    .setAdvertisingParameters: "LE Set Advertising Parameters",
    .setAdvertisingData: "LE Set Advertising Data",
    .setScanResponseData: "LE Set Scan Response Data",
    .setAdvertisingEnable: "LE Set Advertising Enable",
    .setScanParameters: "LE Set Scan Parameters",
    .setScanEnable: "LE Set Scan Enable",
    .createConnection: "LE Create Connection",
    .cancelConnection: "LE Create Connection Cancel",
    .readAcceptListSize: "LE Read Filter Accept List Size",
    .clearAcceptList: "LE Clear Filter Accept List",
    .addToAcceptList: "LE Add Device To Filter Accept List",
    .removeFromAcceptList: "LE Remove Device From Filter Accept List",
    .updateConnection: "LE Connection Update",
    .readRemoteFeatures: "LE Read Remote Features",
    .enableEncryption: "LE Enable Encryption",
    .giveLongTermKey: "LE Long Term Key Request Reply",
    .refuseLongTermKey: "LE Long Term Key Request Negative Reply",
    .acceptParameters: "LE Remote Connection Parameter Request Reply",
    .refuseParameters: "LE Remote Connection Parameter Request Negative Reply",
    .setDataLength: "LE Set Data Length",
    .setSuggestedDataLength: "LE Write Suggested Default Data Length",
    .addToResolvingList: "LE Add Device To Resolving List",
    .removeFromResolvingList: "LE Remove Device From Resolving List",
    .clearResolvingList: "LE Clear Resolving List",
    .readResolvingListSize: "LE Read Resolving List Size",
    .setAddressResolutionEnable: "LE Set Address Resolution Enable",
    .setPrivateAddressTimeout: "LE Set Resolvable Private Address Timeout",
    .readMaximumDataLength: "LE Read Maximum Data Length",
    .readPHY: "LE Read PHY",
    .setDefaultPHY: "LE Set Default PHY",
    .setPHY: "LE Set PHY",
    .setAdvertisingSetRandomAddress: "LE Set Advertising Set Random Address",
    .setExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters",
    .setExtendedAdvertisingData: "LE Set Extended Advertising Data",
    .setExtendedScanResponseData: "LE Set Extended Scan Response Data",
    .setExtendedAdvertisingEnable: "LE Set Extended Advertising Enable",
    .readMaximumAdvertisingDataLength: "LE Read Maximum Advertising Data Length",
    .readAdvertisingSetCount: "LE Read Number of Supported Advertising Sets",
    .removeAdvertisingSet: "LE Remove Advertising Set",
    .clearAdvertisingSets: "LE Clear Advertising Sets",
    .setExtendedScanParameters: "LE Set Extended Scan Parameters",
    .setExtendedScanEnable: "LE Set Extended Scan Enable",
    .createConnectionExtended: "LE Extended Create Connection",
    .setPrivacyMode: "LE Set Privacy Mode",
    .moveOnRadio: "Move, a command of the virtual radio",
  ]
}
