import Bluetooth
import DeviceModel

/// Mistakes in how a device pairs.
extension Mistake {
  static let pairingNotFromSettings = Self("only settings can decide how the device pairs")
  static func badPairing(_ error: any Error, circumstance: String) -> Self {
    guard let error = error as? PairingValueError else {
      return Self("\(circumstance)the way the device pairs cannot be computed: \(error)")
    }
    return Self("\(circumstance)\(error)", error.hint)
  }
  static func uselessPasskey(_ capability: IOCapability) -> Self {
    Self(
      "a device with \(capability.name) neither shows a passkey nor has a keyboard for one",
      "io-capability: keyboard-only, display-only or keyboard-display")
  }
  static func cannotAuthenticate(circumstance: String) -> Self {
    Self(
      "\(circumstance)the device requires authentication, which no central has with no-input-no-output",
      "give it an 'io-capability', such as display-only")
  }
  static let noLimitOfBonds = Self("'when-full' has no effect without 'bonds'", "add 'bonds', as in bonds: 4")
  static func requestsWhatItRefuses(circumstance: String) -> Self {
    Self(
      "\(circumstance)the device asks for encryption but refuses to pair",
      "remove 'pairing: false' or 'request'")
  }
}

extension PairingValueError {
  fileprivate var hint: String {
    switch self {
    case .capability: "known: " + IOCapability.allCases.map(\.name).joined(separator: ", ")
    case .secureConnections:
      "known: " + PairingPolicy.SecureConnections.allCases.map(\.rawValue).joined(separator: ", ")
    case .requirement:
      "known: " + PairingTemplate.Requirement.allCases.map(\.rawValue).joined(separator: ", ")
    case .passkey: "a passkey has six digits, as in \"012345\""
    case .bonds: "'bonding: false' keeps none"
    case .keySize: "as in 7, or { min: 7, max: 10 }"
    case .keySizes: "'min' is at most 'max'"
    case .whenFull: "known: " + PairingTemplate.FullUse.allCases.map(\.rawValue).joined(separator: ", ")
    }
  }
}
