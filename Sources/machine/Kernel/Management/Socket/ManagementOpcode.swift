import Bluetooth

/// The number of a command (bluez: doc/mgmt-api.txt, Commands).
package struct ManagementOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let readControllerIndexList = Self(rawValue: 0x0003)
  package static let readControllerInformation = Self(rawValue: 0x0004)
  package static let setPowered = Self(rawValue: 0x0005)
  package static let getConnections = Self(rawValue: 0x0015)
  package static let unpairDevice = Self(rawValue: 0x001B)
  package static let setSecureConnections = Self(rawValue: 0x002D)
  package static let readAdvertisingFeatures = Self(rawValue: 0x003D)
}

extension ManagementOpcode: CustomStringConvertible {
  /// The documentation's name, such as "Set Powered".
  package var name: String { Self.names[self] ?? "command 0x\(rawValue.hexadecimal(digits: 4))" }

  package var description: String { name }

  private static let names: [Self: String] = [
    .readControllerIndexList: "Read Controller Index List",
    .readControllerInformation: "Read Controller Information",
    .setPowered: "Set Powered",
    .getConnections: "Get Connections",
    .unpairDevice: "Unpair Device",
    .setSecureConnections: "Set Secure Connections",
    .readAdvertisingFeatures: "Read Advertising Features",
  ]
}
