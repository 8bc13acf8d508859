import Bluetooth

/// An advertising set of a controller: what it sends, how, and with which address.
package struct AdvertisingSet: Hashable, Sendable {
  /// From 0 to 0xEF. Linux uses the numbers of its advertising instances, from 0 up.
  package var handle: UInt8
  package var parameters: AdvertisingSetParameters
  /// A random address; nil: the controller's public one.
  package var address: DeviceAddress?
  package var data: [UInt8]
  package var scanResponse: [UInt8]

  package init(
    handle: UInt8, parameters: AdvertisingSetParameters, address: DeviceAddress? = nil, data: [UInt8],
    scanResponse: [UInt8]
  ) {
    (self.handle, self.parameters, self.address) = (handle, parameters, address)
    (self.data, self.scanResponse) = (data, scanResponse)
  }
}

/// How an advertising set advertises (Core Specification, Vol 4 Part E 7.8.53).
package struct AdvertisingSetParameters: Hashable, Sendable {
  package struct Properties: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let connectable = Self(rawValue: 1 << 0)
    package static let scannable = Self(rawValue: 1 << 1)
    package static let directed = Self(rawValue: 1 << 2)
    /// Of directed legacy advertising: without pauses, for 1.28 s.
    package static let highDutyCycle = Self(rawValue: 1 << 3)
    package static let legacy = Self(rawValue: 1 << 4)
    /// Without the address of the device.
    package static let anonymous = Self(rawValue: 1 << 5)
  }

  /// What follows the 1.28 s of ``Properties/highDutyCycle``.
  package enum AfterHighDutyCycle: Sendable {
    /// The same advertising, with its interval.
    case lowDutyCycle
    case highDutyCycle
  }

  package var properties: Properties
  package var afterHighDutyCycle = AfterHighDutyCycle.lowDutyCycle
  package var interval: ClosedRange<AdvertisingInterval>
  package var channels = AdvertisingChannels.all
  /// Whether only devices on the accept list may connect. All get a scan response.
  package var isFiltered = false
  /// The device that may connect, of ``Properties/directed``.
  package var target: LinkAddress?
  package var phy = AdvertisingPHY.le1M
  /// Tells the sets of a device apart, 0 to 15.
  package var identifier: UInt8 = 0

  package init(properties: Properties, interval: ClosedRange<AdvertisingInterval>) {
    (self.properties, self.interval) = (properties, interval)
  }
}
