/// How a central pairs.
package struct PairingRequest: Hashable, Sendable {
  /// What the central has to show and enter numbers.
  package var capability: IOCapability
  /// Whether the central can do LE Secure Connections.
  package var canSecureConnections: Bool
  /// What somebody enters at the central, or what the central shows, 0 to 999,999; nil: what the other side shows or enters.
  package var passkey: UInt32?
  /// Whether the central wants to keep the keys.
  package var bonds: Bool

  package init(
    capability: IOCapability = .keyboardDisplay, canSecureConnections: Bool = true, passkey: UInt32? = nil,
    bonds: Bool = false
  ) {
    (self.capability, self.canSecureConnections) = (capability, canSecureConnections)
    (self.passkey, self.bonds) = (passkey, bonds)
  }
}

extension PairingRequest {
  /// Whether the central and a device pair by LE Secure Connections (Core Specification, Vol 3 Part H 2.3.5.1).
  package func usesSecureConnections(with policy: PairingPolicy) -> Bool {
    canSecureConnections && policy.secureConnections != .never
  }

  package func model(with policy: PairingPolicy) -> AssociationModel {
    AssociationModel(
      central: capability, peripheral: policy.capability,
      comparesNumbers: usesSecureConnections(with: policy))
  }
}

/// What comes of a pairing.
package enum PairingOutcome: Hashable, Sendable {
  /// - Parameter bonded: whether both sides keep the keys.
  case paired(bonded: Bool)
  case failed(PairingFailure)
}
