import Bluetooth
import DeviceModel

/// What a central asks below ATT, and what a pairing asks somebody at the device.
package enum LinkRequest: Hashable, Sendable {
  /// Other parameters of the link.
  case parameters
  case pairing
  /// The encryption of the link.
  case encryption
  /// Whether the central shows the same number.
  case comparison
  /// The passkey that the central shows.
  case passkey
}

/// What deliberately goes wrong with it.
package enum LinkFault: Hashable, Sendable {
  case refusal
  /// There is no answer.
  case silence
  case pairing(PairingFault)
  case person(Fault.Person)
}

/// What somebody at the device answers in a pairing.
package enum PersonAnswer: Hashable, Sendable {
  /// What is right.
  case asUsual
  case refusal
  case passkey(UInt32)
  /// Nothing, for as long as a pairing may take: 30 s (Core Specification, Vol 3 Part H 3.4).
  case nothing
}

extension AssociationModel {
  /// What it asks somebody at the device; nil: nothing.
  package var question: LinkRequest? {
    switch self {
    case .numericComparison: .comparison
    case .passkeyShownByCentral, .passkeyEnteredAtBoth: .passkey
    case .justWorks, .outOfBand, .passkeyShownByPeripheral: nil
    }
  }
}
