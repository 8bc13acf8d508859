/// What one side of a credit-based channel takes (Core Specification, Vol 3 Part A 4.22).
package struct ChannelTerms: Hashable, Sendable {
  /// The most bytes of an SDU, 23 to 65,535.
  package var mtu: UInt16
  /// The most bytes of a K-frame's payload, 23 to 65,533.
  package var mps: UInt16
  /// How many K-frames the peer may send before it gets more credits.
  package var credits: UInt16

  package static let mtuLimits: ClosedRange<UInt16> = 23...65_535
  package static let mpsLimits: ClosedRange<UInt16> = 23...65_533

  package init(mtu: UInt16, mps: UInt16, credits: UInt16) {
    (self.mtu, self.mps, self.credits) = (mtu, mps, credits)
  }

  /// Whether the specification allows the sizes.
  package var isPossible: Bool { Self.mtuLimits.contains(mtu) && Self.mpsLimits.contains(mps) }
}

/// A channel that a device lets centrals open.
package struct ChannelOffer: Hashable, Sendable {
  /// By which centrals name it: 0x01 to 0x7F are assigned by the Bluetooth SIG, 0x80 to 0xFF are the device's own (4.22).
  package var spsm: UInt16
  package var terms: ChannelTerms
  /// How well the link has to be protected.
  package var level: LinkSecurity.Level
  /// The shortest encryption key, bytes; 0: any.
  package var keySize: Int

  package init(spsm: UInt16, _ terms: ChannelTerms, level: LinkSecurity.Level = .none, keySize: Int = 0) {
    (self.spsm, self.terms, self.level, self.keySize) = (spsm, terms, level, keySize)
  }

  /// Why a link is not protected well enough; nil: it is. The result says what the central can do, as an ATT error does
  /// (Vol 3 Part C 10.3.1).
  ///
  /// - Parameter hasKey: whether both sides have a key with which the central can encrypt the link.
  package func refusal(on security: LinkSecurity, hasKey: Bool) -> ChannelResult? {
    if level == .none { return nil }
    if !security.isEncrypted { return hasKey ? .insufficientEncryption : .insufficientAuthentication }
    if security.keySize < keySize { return .encryptionKeySizeTooShort }
    return security.level >= level ? nil : .insufficientAuthentication
  }
}
