import Bluetooth

/// How a command has ended (bluez: doc/mgmt-api.txt, Error Codes).
package struct ManagementStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let success = Self(rawValue: 0x00)
  package static let unknownCommand = Self(rawValue: 0x01)
  package static let notConnected = Self(rawValue: 0x02)
  package static let failed = Self(rawValue: 0x03)
  package static let connectFailed = Self(rawValue: 0x04)
  package static let authenticationFailed = Self(rawValue: 0x05)
  package static let notPaired = Self(rawValue: 0x06)
  package static let noResources = Self(rawValue: 0x07)
  package static let timeout = Self(rawValue: 0x08)
  package static let alreadyConnected = Self(rawValue: 0x09)
  package static let busy = Self(rawValue: 0x0A)
  package static let rejected = Self(rawValue: 0x0B)
  package static let notSupported = Self(rawValue: 0x0C)
  package static let invalidParameters = Self(rawValue: 0x0D)
  package static let disconnected = Self(rawValue: 0x0E)
  package static let notPowered = Self(rawValue: 0x0F)
  package static let cancelled = Self(rawValue: 0x10)
  package static let invalidIndex = Self(rawValue: 0x11)
  /// A switch or a program has turned the radio off (rfkill(8)).
  package static let blocked = Self(rawValue: 0x12)
  package static let alreadyPaired = Self(rawValue: 0x13)
  package static let permissionDenied = Self(rawValue: 0x14)
}

extension ManagementStatus: CustomStringConvertible {
  /// BlueZ's name with the code: "Not Powered (0x0F)".
  package var description: String {
    let name = Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "Unknown Status"
    return "\(name) (0x\(rawValue.hexadecimal(digits: 2)))"
  }

  /// In the order of the codes (bluez: lib/bluetooth/mgmt.h, `mgmt_status`).
  private static let names = [
    "Success", "Unknown Command", "Not Connected", "Failed", "Connect Failed", "Authentication Failed",
    "Not Paired", "No Resources", "Timeout", "Already Connected", "Busy", "Rejected", "Not Supported",
    "Invalid Parameters", "Disconnected", "Not Powered", "Cancelled", "Invalid Index",
    "Blocked through rfkill", "Already Paired", "Permission Denied",
  ]
}
