import Bluetooth
import DeviceModel

/// A mistake in how a device pairs.
enum SecurityMistake: Mistake {
  /// It comes from values that are not settings.
  case notFromSettings
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case badValue(any Error, circumstance: String)
  /// A passkey of a device that can neither show nor enter it.
  case uselessPasskey(IOCapability)
  /// - Parameter circumstance: the ``ValueCase/circumstance``.
  case requestsWhatItRefuses(circumstance: String)
}

extension SecurityMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notFromSettings: ("only settings can decide how the device pairs", nil)
    case .badValue(let error as PairingValueError, let circumstance):
      ("\(circumstance)\(error)", error.hint)
    case .badValue(let error, let circumstance):
      ("\(circumstance)the way the device pairs cannot be computed: \(error)", nil)
    case .uselessPasskey(let capability):
      (
        "a device with \(capability.name) neither shows a passkey nor has a keyboard for one",
        "io-capability: keyboard-only, display-only or keyboard-display"
      )
    case .requestsWhatItRefuses(let circumstance):
      (
        "\(circumstance)the device asks for encryption but refuses to pair",
        "remove 'pairing: false' or 'request'"
      )
    }
  }
}

extension PairingValueError {
  fileprivate var hint: String {
    switch self {
    case .capability: "known: " + IOCapability.allCases.map(\.name).joined(separator: ", ")
    case .secureConnections:
      "known: " + PairingPolicy.SecureConnections.allCases.map(\.rawValue).joined(separator: ", ")
    case .passkey: "a passkey has six digits, as in \"012345\""
    }
  }
}
