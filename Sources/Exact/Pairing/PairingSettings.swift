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
    // Not Secure Connections Only: the kernel then ends each encrypted LE link, because it looks for a BR/EDR key
    // (hci_conn_check_link_mode of its net/bluetooth/hci_conn.c). ``PairingDesk`` refuses keys of legacy pairing.
    allowsSecureConnections = policy.secureConnections != .never
  }
}
