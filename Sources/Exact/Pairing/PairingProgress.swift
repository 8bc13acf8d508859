import Bluetooth

/// The pairing with a central, as far as it is known.
struct PairingProgress: Hashable {
  /// The passkey that has been shown.
  var shown: UInt32?
  /// Whether bluetoothd has asked the device's agent.
  var wasAsked = false
  /// Why the device has refused; nil: it has not.
  var refusal: PairingFailure?
}
