extension PairingPolicy {
  /// The part of the policy, as in a definition, that prevents the pairing; nil: the failure has another cause.
  ///
  /// - Parameter isSecure: whether the central pairs by LE Secure Connections.
  package func cause(of failure: PairingFailure, isSecure: Bool = false) -> String? {
    switch failure {
    case .pairingNotSupported where !isAllowed: "pairing: false"
    case .pairingNotSupported where !replacesOldestBond: mostBonds.map { "bonds: \($0)" }
    case .authenticationRequirements where secureConnections == .required && !isSecure:
      "secure-connections: required"
    case .authenticationRequirements where requiresAuthentication: "require: authenticated"
    case .encryptionKeySize: "key-size: \(minimumKeySize)"
    default: nil
    }
  }

  /// - Parameter policy: nil: the system pairs.
  package static func missingKey(of central: DeviceAddress, _ policy: PairingPolicy?) -> String {
    let reason =
      policy?.bonds == false
      ? "the device keeps none ('bonding: false')" : "this machine no longer has it"
    return "\(central) encrypts the link with a key of an earlier pairing, and \(reason); "
      + "forget this device at the central, then pair again"
  }

  /// - Parameter kept: the identity address of the bond.
  package static func keptBond(with kept: DeviceAddress, against central: DeviceAddress) -> String {
    "the device refused to bond with \(central), because its bond with \(kept) has a stronger key or is in use; "
      + "to replace it, let the device forget it first ('forget', or 'blemu forget NAME \(kept)')"
  }

  package static func forgotOldestBond(with central: DeviceAddress, most: Int) -> String {
    "forgot the oldest bond, with \(central): the device keeps \(most) ('bonds: \(most)', 'when-full: oldest')"
  }

  /// The central shows a passkey, and the definition has none to enter.
  package static func noPasskey(for central: DeviceAddress) -> String {
    "\(central) shows a passkey that cannot be entered here; set it as 'passkey' in the definition"
  }

  /// - Parameter cause: of ``cause(of:isSecure:)``.
  package static func refusal(of central: DeviceAddress, _ cause: String) -> String {
    "the device refused to pair with \(central), because its security says '\(cause)'"
  }
}
