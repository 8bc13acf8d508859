/// What a device deliberately does wrong in a pairing (Core Specification, Vol 3 Part H 2.3).
package struct PairingFault: Hashable, Sendable {
  /// What the peripheral sends in a pairing, in order.
  package enum Step: String, CaseIterable, Sendable {
    case pairingResponse = "pairing-response"
    /// Only in LE Secure Connections.
    case publicKey = "public-key"
    case pairingConfirm = "pairing-confirm"
    case pairingRandom = "pairing-random"
    /// Only in LE Secure Connections.
    case dhKeyCheck = "dhkey-check"
    /// The first of the keys that it distributes; not every pairing has some.
    case keys
  }

  package enum Effect: Hashable, Sendable {
    /// Pairing Failed with this reason, in place of this step or, if the pairing does not have it, of the next one.
    case failure(PairingFailure, at: Step)
    /// One bit of each Pairing Confirm is wrong.
    case wrongConfirm
  }

  package var effect: Effect
  /// The number of the fault that it comes from.
  package var number: Int

  package init(_ effect: Effect, number: Int) { (self.effect, self.number) = (effect, number) }
}

extension PairingFault.Step: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

  private var order: Int { Self.allCases.firstIndex(of: self)! }
}
