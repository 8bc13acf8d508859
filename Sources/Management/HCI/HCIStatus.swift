import Bluetooth

/// An error code of a controller (Core Specification, Vol 1 Part F 1.3).
package struct HCIStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let success = Self(rawValue: 0x00)
  package static let unknownCommand = Self(rawValue: 0x01)
  package static let memoryCapacityExceeded = Self(rawValue: 0x07)
  package static let connectionLimitExceeded = Self(rawValue: 0x09)
  package static let commandDisallowed = Self(rawValue: 0x0C)
  package static let unsupportedFeature = Self(rawValue: 0x11)
  package static let invalidParameters = Self(rawValue: 0x12)
  package static let unknownAdvertisingIdentifier = Self(rawValue: 0x42)
  package static let limitReached = Self(rawValue: 0x43)
  package static let packetTooLong = Self(rawValue: 0x45)
}

extension HCIStatus: CustomStringConvertible {
  /// The specification's name, such as "Command Disallowed".
  package var description: String { Self.names[self] ?? "error 0x\(rawValue.hexadecimal(digits: 2))" }

  private static let names: [Self: String] = [
    .success: "Success",
    .unknownCommand: "Unknown HCI Command",
    .memoryCapacityExceeded: "Memory Capacity Exceeded",
    .connectionLimitExceeded: "Connection Limit Exceeded",
    .commandDisallowed: "Command Disallowed",
    .unsupportedFeature: "Unsupported Feature or Parameter Value",
    .invalidParameters: "Invalid HCI Command Parameters",
    .unknownAdvertisingIdentifier: "Unknown Advertising Identifier",
    .limitReached: "Limit Reached",
    .packetTooLong: "Packet Too Long",
  ]
}
