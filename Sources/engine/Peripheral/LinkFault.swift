import Bluetooth

/// What a central asks below ATT.
package enum LinkRequest: Hashable, Sendable {
  /// Other parameters of the link.
  case parameters
  case pairing
  /// The encryption of the link.
  case encryption
}

/// What deliberately goes wrong with it.
package enum LinkFault: Hashable, Sendable {
  case refusal
  /// There is no answer.
  case silence
  case pairing(PairingFault)
}
