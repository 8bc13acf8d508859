import Bluetooth

/// The number of an HCI command: a group in the highest 6 bits, a command in it (Core Specification, Vol 4 Part E 5.4.1).
package struct HCIOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let disconnect = Self(rawValue: 0x0406)
  package static let reset = Self(rawValue: 0x0C03)
  package static let readLocalVersion = Self(rawValue: 0x1001)
  package static let readAddress = Self(rawValue: 0x1009)
  package static let setRandomAddress = Self(rawValue: 0x2005)
  package static let setAdvertisingParameters = Self(rawValue: 0x2006)
  package static let setAdvertisingData = Self(rawValue: 0x2008)
  package static let setScanResponseData = Self(rawValue: 0x2009)
  package static let setAdvertisingEnable = Self(rawValue: 0x200A)
  package static let createConnection = Self(rawValue: 0x200D)
  package static let createConnectionExtended = Self(rawValue: 0x2043)
  package static let updateConnection = Self(rawValue: 0x2013)
  package static let refuseLongTermKey = Self(rawValue: 0x201B)
  package static let readPHY = Self(rawValue: 0x2030)
  // Vol 4 Part E 7.8.52 to 7.8.60
  package static let setAdvertisingSetRandomAddress = Self(rawValue: 0x2035)
  package static let setExtendedAdvertisingParameters = Self(rawValue: 0x2036)
  package static let setExtendedAdvertisingData = Self(rawValue: 0x2037)
  package static let setExtendedScanResponseData = Self(rawValue: 0x2038)
  package static let setExtendedAdvertisingEnable = Self(rawValue: 0x2039)
  package static let readMaximumAdvertisingDataLength = Self(rawValue: 0x203A)
  package static let removeAdvertisingSet = Self(rawValue: 0x203C)
  package static let clearAdvertisingSets = Self(rawValue: 0x203D)
}

extension HCIOpcode: CustomStringConvertible {
  /// The specification's name, such as "LE Remove Advertising Set".
  package var description: String {
    Self.names[self] ?? "HCI command 0x\(rawValue.hexadecimal(digits: 4))"
  }

  private static let names: [Self: String] = [
    .disconnect: "Disconnect",
    .reset: "Reset",
    .readLocalVersion: "Read Local Version Information",
    .readAddress: "Read BD_ADDR",
    .setRandomAddress: "LE Set Random Address",
    .setAdvertisingParameters: "LE Set Advertising Parameters",
    .setAdvertisingData: "LE Set Advertising Data",
    .setScanResponseData: "LE Set Scan Response Data",
    .setAdvertisingEnable: "LE Set Advertising Enable",
    .createConnection: "LE Create Connection",
    .createConnectionExtended: "LE Extended Create Connection",
    .updateConnection: "LE Connection Update",
    .refuseLongTermKey: "LE Long Term Key Request Negative Reply",
    .readPHY: "LE Read PHY",
    .setAdvertisingSetRandomAddress: "LE Set Advertising Set Random Address",
    .setExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters",
    .setExtendedAdvertisingData: "LE Set Extended Advertising Data",
    .setExtendedScanResponseData: "LE Set Extended Scan Response Data",
    .setExtendedAdvertisingEnable: "LE Set Extended Advertising Enable",
    .readMaximumAdvertisingDataLength: "LE Read Maximum Advertising Data Length",
    .removeAdvertisingSet: "LE Remove Advertising Set",
    .clearAdvertisingSets: "LE Clear Advertising Sets",
  ]
}
