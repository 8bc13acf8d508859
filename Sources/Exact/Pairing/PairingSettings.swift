import Bluetooth

/// What a policy sets on a controller.
struct PairingSettings: Hashable {
  /// Of the next links.
  let capability: IOCapability
  /// Without it the kernel refuses centrals that want to bond, with Pairing Not Supported.
  let isBondable: Bool
  let allowsSecureConnections: Bool

  init(_ policy: PairingPolicy) {
    capability = policy.isAllowed ? policy.capability : .noInputNoOutput
    isBondable = policy.isAllowed
    // Not Secure Connections Only: see ``PairingDesk/refuseLegacy(_:)``.
    allowsSecureConnections = policy.secureConnections != .never
  }
}
