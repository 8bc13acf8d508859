public import Foundation

public let CBErrorDomain = "CBErrorDomain"
public let CBATTErrorDomain = "CBATTErrorDomain"

/// Why Bluetooth could not do something.
public struct CBError: CustomNSError, LocalizedError, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case unknown, invalidParameters, invalidHandle, notConnected, outOfSpace, operationCancelled,
      connectionTimeout, peripheralDisconnected, uuidNotAllowed, alreadyAdvertising, connectionFailed,
      connectionLimitReached, unkownDevice, operationNotSupported, peerRemovedPairingInformation,
      encryptionTimedOut, tooManyLEPairedDevices, leGattExceededBackgroundNotificationLimit,
      leGattNearBackgroundNotificationLimit

    public static let unknownDevice = Code.unkownDevice

    /// For `catch CBError.connectionFailed`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? CBError)?.code == code }
  }

  public let code: Code

  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }

  public static var errorDomain: String { CBErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: code.sentence] }
  public var errorDescription: String? { code.sentence }
}

extension CBError {
  public static let unknown = Code.unknown
  public static let invalidParameters = Code.invalidParameters
  public static let invalidHandle = Code.invalidHandle
  public static let notConnected = Code.notConnected
  public static let outOfSpace = Code.outOfSpace
  public static let operationCancelled = Code.operationCancelled
  public static let connectionTimeout = Code.connectionTimeout
  public static let peripheralDisconnected = Code.peripheralDisconnected
  public static let uuidNotAllowed = Code.uuidNotAllowed
  public static let alreadyAdvertising = Code.alreadyAdvertising
  public static let connectionFailed = Code.connectionFailed
  public static let connectionLimitReached = Code.connectionLimitReached
  public static let unknownDevice = Code.unknownDevice
  public static let operationNotSupported = Code.operationNotSupported
  public static let peerRemovedPairingInformation = Code.peerRemovedPairingInformation
  public static let encryptionTimedOut = Code.encryptionTimedOut
  public static let tooManyLEPairedDevices = Code.tooManyLEPairedDevices
}

extension CBError.Code {
  fileprivate var sentence: String {
    switch self {
    case .invalidParameters: "One or more parameters were invalid."
    case .invalidHandle: "The specified attribute handle is invalid."
    case .notConnected: "The specified device is not connected."
    case .outOfSpace: "The device has run out of space to complete the intended operation."
    case .operationCancelled: "The operation was canceled."
    case .connectionTimeout: "The connection has timed out unexpectedly."
    case .peripheralDisconnected: "The specified device has disconnected from us."
    case .uuidNotAllowed: "The specified UUID is not allowed for this operation."
    case .alreadyAdvertising: "The peripheral is already advertising."
    case .connectionFailed: "The connection has failed unexpectedly."
    case .connectionLimitReached: "The device already has the maximum number of connections."
    case .unkownDevice: "The device is unknown."
    case .operationNotSupported: "The operation is not supported."
    case .peerRemovedPairingInformation: "Peer removed pairing information"
    case .encryptionTimedOut: "Failed to encrypt the connection, the connection has timed out unexpectedly."
    case .tooManyLEPairedDevices: "Too many LE paired devices."
    case .unknown, .leGattExceededBackgroundNotificationLimit, .leGattNearBackgroundNotificationLimit:
      "Unknown error."
    }
  }
}

/// What a device refuses (Core Specification, Vol 3, Part F, 3.4.1.1).
public struct CBATTError: CustomNSError, LocalizedError, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case success, invalidHandle, readNotPermitted, writeNotPermitted, invalidPdu, insufficientAuthentication,
      requestNotSupported, invalidOffset, insufficientAuthorization, prepareQueueFull, attributeNotFound,
      attributeNotLong, insufficientEncryptionKeySize, invalidAttributeValueLength, unlikelyError,
      insufficientEncryption, unsupportedGroupType, insufficientResources

    /// For `catch CBATTError.readNotPermitted`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? CBATTError)?.errorCode == code.rawValue
    }
  }

  /// The number on the air. Those of applications, from 0x80 on, have no ``Code-swift.enum``.
  public let errorCode: Int

  public var code: Code { Code(rawValue: errorCode) ?? .unlikelyError }

  public init(_ code: Code, userInfo: [String: Any] = [:]) { errorCode = code.rawValue }

  init(number: Int) { errorCode = number }

  public static var errorDomain: String { CBATTErrorDomain }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }
  public var errorDescription: String? { sentence }
}

extension CBATTError {
  public static let success = Code.success
  public static let invalidHandle = Code.invalidHandle
  public static let readNotPermitted = Code.readNotPermitted
  public static let writeNotPermitted = Code.writeNotPermitted
  public static let invalidPdu = Code.invalidPdu
  public static let insufficientAuthentication = Code.insufficientAuthentication
  public static let requestNotSupported = Code.requestNotSupported
  public static let invalidOffset = Code.invalidOffset
  public static let insufficientAuthorization = Code.insufficientAuthorization
  public static let prepareQueueFull = Code.prepareQueueFull
  public static let attributeNotFound = Code.attributeNotFound
  public static let attributeNotLong = Code.attributeNotLong
  public static let insufficientEncryptionKeySize = Code.insufficientEncryptionKeySize
  public static let invalidAttributeValueLength = Code.invalidAttributeValueLength
  public static let unlikelyError = Code.unlikelyError
  public static let insufficientEncryption = Code.insufficientEncryption
  public static let unsupportedGroupType = Code.unsupportedGroupType
  public static let insufficientResources = Code.insufficientResources

  private var sentence: String {
    switch Code(rawValue: errorCode) {
    case .success: "Success."
    case .invalidHandle: "The handle is invalid."
    case .readNotPermitted: "Reading is not permitted."
    case .writeNotPermitted: "Writing is not permitted."
    case .invalidPdu: "The command is invalid."
    case .insufficientAuthentication: "Authentication is insufficient."
    case .requestNotSupported: "The request is not supported."
    case .invalidOffset: "The offset is invalid."
    case .insufficientAuthorization: "Authorization is insufficient."
    case .prepareQueueFull: "The prepare queue is full."
    case .attributeNotFound: "The attribute could not be found."
    case .attributeNotLong: "The attribute is not long."
    case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
    case .invalidAttributeValueLength: "The value's length is invalid."
    case .unlikelyError: "Unlikely error."
    case .insufficientEncryption: "Encryption is insufficient."
    case .unsupportedGroupType: "The group type is unsupported."
    case .insufficientResources: "Resources are insufficient."
    case nil: "Unknown ATT error."
    }
  }
}
