/// How a device pairs (Core Specification, Vol 3 Part H 2.3).
package struct PairingPolicy: Hashable, Sendable {
  /// Whether LE Secure Connections are used, which otherwise is up to the central (Vol 3 Part H 2.3.5.1).
  package enum SecureConnections: String, CaseIterable, Sendable {
    case allowed
    case required
    /// LE legacy pairing only.
    case never
  }

  /// False: every pairing is refused with Pairing Not Supported.
  package var isAllowed = true
  package var capability = IOCapability.noInputNoOutput
  /// The passkey that the device shows or that a person enters at it, 0 to 999,999; nil: the device shows a random one.
  package var passkey: UInt32?
  /// Whether a person is asked to enter the passkey also where it is known here.
  package var asksForPasskey = false
  package var secureConnections = SecureConnections.allowed
  /// Whether keys are kept for later connections.
  package var bonds = true
  /// How many centrals the device is bonded with at most; nil: any number.
  package var mostBonds: Int?
  /// Whether a bond beyond that takes the place of the oldest one; otherwise the device does not pair with a further central.
  package var replacesOldestBond = false
  /// The shortest encryption key that the device accepts, 7 to 16 bytes.
  package var minimumKeySize = 7
  /// The longest, likewise.
  package var maximumKeySize = 16
  /// Whether a pairing without protection against a man in the middle fails with Authentication Requirements.
  package var requiresAuthentication = false
  /// Whether LE Secure Connections use the key pair that everyone knows, so that a sniffer can decrypt the link (Vol 3 Part H
  /// 2.3.5.6.1).
  package var usesDebugKeys = false
  /// Whether the device asks each central for encryption when it connects (Security Request, Vol 3 Part H 3.6.7).
  package var requestsSecurity = false

  package init() {}

  /// Whether the device asks for protection against a man in the middle, which it gets if the other device can give it.
  package var wantsAuthentication: Bool { requiresAuthentication || capability != .noInputNoOutput }
}
