import Bluetooth
import HCIPackets

/// What a controller can do, as it says at the start.
package struct ControllerAbilities: Hashable, Sendable {
  /// Its public address; all zeros: it has none.
  package var address = DeviceAddress([0, 0, 0, 0, 0, 0])!
  /// The version of HCI (Assigned Numbers): 6 is Bluetooth 4.0, 9 is 5.0.
  package var version: UInt8 = 0
  /// The company identifier of its maker.
  package var manufacturer: UInt16 = 0
  /// The maker's number of its firmware.
  package var subversion: UInt16 = 0
  /// The 64 bytes of Read Local Supported Commands (Vol 4 Part E 6.27).
  package var commands: [UInt8] = []
  /// The features of Read Local Supported Features, page 0 (Vol 2 Part C 3.3).
  package var features: UInt64 = 0
  /// The features of LE Read Local Supported Features (Vol 6 Part B 4.6).
  package var lowEnergyFeatures: LowEnergyFeatures = []
  /// The most bytes of a data packet for the controller, and how many of them it stores.
  package var packetSize = 27
  package var packetCount = 1
  /// The most bytes and microseconds of a packet in the air.
  package var longestBytes: UInt16 = 27
  package var longestTime: UInt16 = 328
  /// The most bytes of advertising data.
  package var mostAdvertisingData = 31
  package var advertisingSetCount = 1
  package var acceptListSize = 0
  package var resolvingListSize = 0

  package init() {}

  package var hasExtendedAdvertising: Bool {
    lowEnergyFeatures.contains(.extendedAdvertising) && has(.setExtendedAdvertisingParameters)
  }

  /// Whether it is a controller of the virtual radio (tools/radio), as its Read Local Version Information says.
  package var isOnVirtualRadio: Bool { manufacturer == 0x00E0 && subversion == 0xB1E0 }

  package var hasLE2M: Bool { lowEnergyFeatures.contains(.le2M) }

  package var hasLECoded: Bool { lowEnergyFeatures.contains(.leCoded) }

  /// Whether it also has BR/EDR, so that LE has to be switched on: it does not say "BR/EDR Not Supported", bit 37.
  var hasBasicRate: Bool { features & 1 << 37 == 0 && features != 0 }
}

/// The features of LE that matter to a host, by their bits (Vol 6 Part B 4.6).
package struct LowEnergyFeatures: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let encryption = Self(rawValue: 1 << 0)
  package static let parametersRequest = Self(rawValue: 1 << 1)
  package static let dataLengthExtension = Self(rawValue: 1 << 5)
  package static let privacy = Self(rawValue: 1 << 6)
  package static let le2M = Self(rawValue: 1 << 8)
  package static let leCoded = Self(rawValue: 1 << 11)
  package static let extendedAdvertising = Self(rawValue: 1 << 12)
}
