/// The code with which a server refuses a request (Core Specification, Vol 3 Part F 3.4.1.1).
package struct ATTError: RawRepresentable, Error, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let invalidHandle = Self(rawValue: 0x01)
  package static let readNotPermitted = Self(rawValue: 0x02)
  package static let writeNotPermitted = Self(rawValue: 0x03)
  package static let invalidPDU = Self(rawValue: 0x04)
  package static let insufficientAuthentication = Self(rawValue: 0x05)
  package static let requestNotSupported = Self(rawValue: 0x06)
  package static let invalidOffset = Self(rawValue: 0x07)
  package static let insufficientAuthorization = Self(rawValue: 0x08)
  package static let prepareQueueFull = Self(rawValue: 0x09)
  package static let attributeNotFound = Self(rawValue: 0x0A)
  package static let attributeNotLong = Self(rawValue: 0x0B)
  package static let encryptionKeySizeTooShort = Self(rawValue: 0x0C)
  package static let invalidAttributeValueLength = Self(rawValue: 0x0D)
  package static let unlikelyError = Self(rawValue: 0x0E)
  package static let insufficientEncryption = Self(rawValue: 0x0F)
  package static let unsupportedGroupType = Self(rawValue: 0x10)
  package static let insufficientResources = Self(rawValue: 0x11)
  package static let databaseOutOfSync = Self(rawValue: 0x12)
  package static let valueNotAllowed = Self(rawValue: 0x13)

  // Common profile and service errors (Core Specification Supplement, Part B 1.2).
  package static let writeRequestRejected = Self(rawValue: 0xFC)
  package static let cccdImproperlyConfigured = Self(rawValue: 0xFD)
  package static let procedureAlreadyInProgress = Self(rawValue: 0xFE)
  package static let outOfRange = Self(rawValue: 0xFF)

  /// The codes whose meaning a profile defines.
  package static let applicationCodes: ClosedRange<UInt8> = 0x80...0x9F

  package var isApplicationError: Bool { Self.applicationCodes.contains(rawValue) }
}
