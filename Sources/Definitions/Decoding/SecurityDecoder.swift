import Bluetooth
import DeviceModel

/// Reads how a device pairs.
struct SecurityDecoder {
  let log: DiagnosticLog

  /// nil where the definition says nothing.
  func policy(_ node: Node<Language.Security>?) -> PairingPolicy? {
    guard let node else { return nil }
    var policy = PairingPolicy()
    policy.isAllowed = node.pairing ?? true
    if let word = node.capability, let capability = IOCapability(name: word.text) {
      policy.capability = capability
    }
    policy.passkey = node.passkey.flatMap { passkey($0, of: policy) }
    if let word = node.secureConnections, let use = PairingPolicy.SecureConnections(rawValue: word.text) {
      policy.secureConnections = use
    }
    policy.bonds = node.bonding ?? true
    if let size = node.keySize { policy.minimumKeySize = size.value }
    policy.requestsSecurity = node.request ?? false
    checkRefusal(policy, node)
    return policy
  }

  private func passkey(_ text: Scalar, of policy: PairingPolicy) -> UInt32? {
    guard let passkey = Passkey.read(text.text) else {
      log.error(SecurityMistake.notPasskey(text.text), at: text.range)
      return nil
    }
    if !policy.capability.hasKeyboard {
      log.error(SecurityMistake.noKeyboard(policy.capability), at: text.range)
    }
    return passkey
  }

  private func checkRefusal(_ policy: PairingPolicy, _ node: Node<Language.Security>) {
    guard !policy.isAllowed, policy.requestsSecurity else { return }
    log.error(SecurityMistake.requestsWhatItRefuses, at: node.place(of: "request"))
  }
}
