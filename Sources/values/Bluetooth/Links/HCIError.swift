/// Why a link has ended, or why a controller refused a command (Core Specification, Vol 1 Part F).
package struct HCIError: RawRepresentable, Error, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let success = Self(rawValue: 0x00)
  package static let unknownCommand = Self(rawValue: 0x01)
  /// The host or the controller does not know the link.
  package static let unknownConnectionIdentifier = Self(rawValue: 0x02)
  package static let memoryCapacityExceeded = Self(rawValue: 0x07)
  package static let connectionLimitExceeded = Self(rawValue: 0x09)
  package static let commandDisallowed = Self(rawValue: 0x0C)
  package static let unsupportedFeature = Self(rawValue: 0x11)
  package static let invalidParameters = Self(rawValue: 0x12)
  package static let authenticationFailure = Self(rawValue: 0x05)
  /// The peer has no key for the link.
  package static let keyMissing = Self(rawValue: 0x06)
  /// The peer has not answered for as long as the supervision timeout.
  package static let supervisionTimeout = Self(rawValue: 0x08)
  /// The peer has ended the link: an ordinary goodbye.
  package static let remoteUserTerminated = Self(rawValue: 0x13)
  package static let remoteLowResources = Self(rawValue: 0x14)
  package static let remotePowerOff = Self(rawValue: 0x15)
  /// This side has ended the link.
  package static let localHost = Self(rawValue: 0x16)
  package static let unsupportedRemoteFeature = Self(rawValue: 0x1A)
  package static let unspecifiedError = Self(rawValue: 0x1F)
  /// The peer has not answered a procedure of the link layer for 40 s.
  package static let responseTimeout = Self(rawValue: 0x22)
  package static let pairingWithUnitKeyNotSupported = Self(rawValue: 0x29)
  package static let unacceptableConnectionParameters = Self(rawValue: 0x3B)
  package static let micFailure = Self(rawValue: 0x3D)
  package static let unknownAdvertisingIdentifier = Self(rawValue: 0x42)
  package static let limitReached = Self(rawValue: 0x43)
  package static let packetTooLong = Self(rawValue: 0x45)

  /// Whether a link that has ended for this reason was lost: neither side has taken leave of the other.
  package var isLoss: Bool { self != .localHost && !Self.reasonsToDisconnect.contains(self) }

  /// The reasons that a host may give for ending a link (HCI Disconnect, Vol 4 Part E 7.1.6).
  package static let reasonsToDisconnect: [Self] = [
    .authenticationFailure, .remoteUserTerminated, .remoteLowResources, .remotePowerOff,
    .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported, .unacceptableConnectionParameters,
  ]
}
