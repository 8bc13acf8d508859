/// Why pairing has failed: the reason in Pairing Failed, if it is known (Core Specification, Vol 3 Part H 3.5.5).
package enum PairingFailure: UInt8, CaseIterable, Error {
  /// The transport does not report it.
  case unknown = 0x00
  case passkeyEntryFailed = 0x01
  case oobNotAvailable = 0x02
  case authenticationRequirements = 0x03
  case confirmValueFailed = 0x04
  case pairingNotSupported = 0x05
  case encryptionKeySize = 0x06
  case commandNotSupported = 0x07
  case unspecifiedReason = 0x08
  case repeatedAttempts = 0x09
  case invalidParameters = 0x0A
  case dhKeyCheckFailed = 0x0B
  case numericComparisonFailed = 0x0C
  /// Not in the specification: the other device has not answered for 30 s (3.4).
  case timeout = 0xFE
  /// Not in the specification: the central has a key that the device does not have.
  case keyMissing = 0xFF
}

extension PairingFailure: CustomStringConvertible {
  /// The specification's name, in lower case.
  package var description: String {
    switch self {
    case .unknown: "no reason given"
    case .passkeyEntryFailed: "passkey entry failed"
    case .oobNotAvailable: "OOB not available"
    case .authenticationRequirements: "authentication requirements"
    case .confirmValueFailed: "confirm value failed"
    case .pairingNotSupported: "pairing not supported"
    case .encryptionKeySize: "encryption key size"
    case .commandNotSupported: "command not supported"
    case .unspecifiedReason: "unspecified reason"
    case .repeatedAttempts: "repeated attempts"
    case .invalidParameters: "invalid parameters"
    case .dhKeyCheckFailed: "DHKey check failed"
    case .numericComparisonFailed: "numeric comparison failed"
    case .timeout: "no answer for 30 s"
    case .keyMissing: "the key of an earlier pairing is missing"
    }
  }
}

extension PairingFailure {
  /// The specification's name in kebab-case, as in a transcript.
  package var name: String { String(description.lowercased().map { $0 == " " ? "-" : $0 }) }

  /// The names of the specification's reasons.
  package static var allNames: [String] { specified.map(\.name) }

  /// The reasons of the specification.
  package static let specified = allCases.filter { (0x01...0x0C).contains($0.rawValue) }

  package init?(named name: some StringProtocol) {
    guard let found = Self.specified.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
