import Bluetooth

/// The number of a command (bluez: doc/mgmt-api.txt, Commands).
package struct ManagementOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let readControllerIndexList = Self(rawValue: 0x0003)
  package static let readControllerInformation = Self(rawValue: 0x0004)
  package static let setPowered = Self(rawValue: 0x0005)
  package static let setConnectable = Self(rawValue: 0x0007)
  package static let setBondable = Self(rawValue: 0x0009)
  package static let setLowEnergy = Self(rawValue: 0x000D)
  package static let loadLongTermKeys = Self(rawValue: 0x0013)
  package static let disconnect = Self(rawValue: 0x0014)
  package static let setIOCapability = Self(rawValue: 0x0018)
  package static let pairDevice = Self(rawValue: 0x0019)
  package static let unpairDevice = Self(rawValue: 0x001B)
  package static let userConfirmationReply = Self(rawValue: 0x001C)
  package static let userConfirmationNegativeReply = Self(rawValue: 0x001D)
  package static let userPasskeyReply = Self(rawValue: 0x001E)
  package static let userPasskeyNegativeReply = Self(rawValue: 0x001F)
  package static let setAdvertising = Self(rawValue: 0x0029)
  package static let setBasicRate = Self(rawValue: 0x002A)
  package static let setStaticAddress = Self(rawValue: 0x002B)
  package static let setSecureConnections = Self(rawValue: 0x002D)
  package static let loadIdentityResolvingKeys = Self(rawValue: 0x0030)
  package static let getConnectionInformation = Self(rawValue: 0x0031)
  package static let readAdvertisingFeatures = Self(rawValue: 0x003D)
  package static let removeAdvertising = Self(rawValue: 0x003F)
  package static let getPHYConfiguration = Self(rawValue: 0x0044)
  package static let addExtendedAdvertisingParameters = Self(rawValue: 0x0054)
  package static let addExtendedAdvertisingData = Self(rawValue: 0x0055)
}

extension ManagementOpcode: CustomStringConvertible {
  /// The documentation's name, such as "Set Powered".
  package var name: String { Self.names[self] ?? "command 0x\(rawValue.hexadecimal(digits: 4))" }

  package var description: String { name }

  private static let names: [Self: String] = [
    .readControllerIndexList: "Read Controller Index List",
    .readControllerInformation: "Read Controller Information",
    .setPowered: "Set Powered",
    .setConnectable: "Set Connectable",
    .setBondable: "Set Bondable",
    .setLowEnergy: "Set Low Energy",
    .loadLongTermKeys: "Load Long Term Keys",
    .disconnect: "Disconnect",
    .setIOCapability: "Set IO Capability",
    .pairDevice: "Pair Device",
    .unpairDevice: "Unpair Device",
    .userConfirmationReply: "User Confirmation Reply",
    .userConfirmationNegativeReply: "User Confirmation Negative Reply",
    .userPasskeyReply: "User Passkey Reply",
    .userPasskeyNegativeReply: "User Passkey Negative Reply",
    .setAdvertising: "Set Advertising",
    .setBasicRate: "Set BR/EDR",
    .setStaticAddress: "Set Static Address",
    .setSecureConnections: "Set Secure Connections",
    .loadIdentityResolvingKeys: "Load Identity Resolving Keys",
    .getConnectionInformation: "Get Connection Information",
    .readAdvertisingFeatures: "Read Advertising Features",
    .removeAdvertising: "Remove Advertising",
    .getPHYConfiguration: "Get PHY Configuration",
    .addExtendedAdvertisingParameters: "Add Extended Advertising Parameters",
    .addExtendedAdvertisingData: "Add Extended Advertising Data",
  ]
}
