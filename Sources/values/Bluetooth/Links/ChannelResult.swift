/// How a device answers a request for a credit-based channel (Core Specification, Vol 3 Part A 4.23).
package enum ChannelResult: UInt16, CaseIterable, Hashable, Sendable {
  case success = 0x0000
  case unsupportedSPSM = 0x0002
  case noResources = 0x0004
  case insufficientAuthentication = 0x0005
  case insufficientAuthorization = 0x0006
  case encryptionKeySizeTooShort = 0x0007
  case insufficientEncryption = 0x0008
  case invalidSourceCID = 0x0009
  case sourceCIDAlreadyAllocated = 0x000A
  case unacceptableParameters = 0x000B

  /// The kebab-case name of a transcript and of the log: `insufficient-encryption`.
  package var name: String {
    switch self {
    case .success: "success"
    case .unsupportedSPSM: "spsm-not-supported"
    case .noResources: "no-resources"
    case .insufficientAuthentication: "insufficient-authentication"
    case .insufficientAuthorization: "insufficient-authorization"
    case .encryptionKeySizeTooShort: "encryption-key-size-too-short"
    case .insufficientEncryption: "insufficient-encryption"
    case .invalidSourceCID: "invalid-source-cid"
    case .sourceCIDAlreadyAllocated: "source-cid-already-allocated"
    case .unacceptableParameters: "unacceptable-parameters"
    }
  }

  /// Reads a ``name``.
  package init?(named name: some StringProtocol) {
    guard let result = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = result
  }
}

extension ChannelResult {
  /// The ATT error of the same name, which has the same remedy (Vol 3 Part C 10.3.1); nil: there is none.
  package var attributeError: ATTError? {
    switch self {
    case .insufficientAuthentication: .insufficientAuthentication
    case .insufficientAuthorization: .insufficientAuthorization
    case .encryptionKeySizeTooShort: .encryptionKeySizeTooShort
    case .insufficientEncryption: .insufficientEncryption
    default: nil
    }
  }
}

/// Why a channel did not open.
package enum ChannelRefusal: Error, Hashable, Sendable {
  case refused(ChannelResult)
  /// The peer does not know such channels.
  case notUnderstood
  /// The peer did not answer within 30 s.
  case noAnswer
  /// The peer answered with values that the specification does not allow.
  case invalidAnswer

  /// The kebab-case name of a transcript and of the log.
  package var name: String {
    switch self {
    case .refused(let result): result.name
    case .notUnderstood: "not-understood"
    case .noAnswer: "no-answer"
    case .invalidAnswer: "invalid-answer"
    }
  }
}
