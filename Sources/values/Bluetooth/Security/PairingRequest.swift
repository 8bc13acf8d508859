/// How a central pairs.
package struct PairingRequest: Hashable, Sendable {
  /// The central's display and keyboard for numbers.
  package var capability: IOCapability
  /// Whether the central supports LE Secure Connections.
  package var canSecureConnections: Bool
  /// The passkey that a person enters at the central, or that the central shows, 0 to 999,999; nil: that of the other side.
  package var passkey: UInt32?
  /// The longest encryption key that the central can, 7 to 16 bytes.
  package var maximumKeySize = 16
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

  /// The size of the keys.
  package func keySize(with policy: PairingPolicy) -> Int { min(maximumKeySize, policy.maximumKeySize) }

  package func model(with policy: PairingPolicy) -> AssociationModel {
    AssociationModel(
      central: capability, peripheral: policy.capability,
      comparesNumbers: usesSecureConnections(with: policy))
  }
}

/// The result of a pairing.
package enum PairingOutcome: Hashable, Sendable {
  /// - Parameter bonded: whether both sides keep the keys.
  case paired(bonded: Bool)
  case failed(PairingFailure)
}
