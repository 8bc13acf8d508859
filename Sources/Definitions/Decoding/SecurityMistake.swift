import Bluetooth

/// A mistake in how a device pairs.
enum SecurityMistake: Mistake {
  case notPasskey(String)
  /// A passkey is entered at a device that has nothing to enter it.
  case noKeyboard(IOCapability)
  case requestsWhatItRefuses
}

extension SecurityMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notPasskey(let text): ("'\(text)' is not a passkey", "a passkey has six digits, as in \"012345\"")
    case .noKeyboard(let capability):
      (
        "no passkey can be entered at a device with \(capability.name)",
        "io-capability: keyboard-only or keyboard-display; a passkey that a device shows is random"
      )
    case .requestsWhatItRefuses:
      ("the device asks for encryption and refuses to pair", "leave out 'pairing: false', or 'request'")
    }
  }
}
