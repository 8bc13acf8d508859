import Bluetooth

// The distribution of the keys (Core Specification, Vol 3 Part H 3.6).
extension SecurityManager {
  mutating func distribute(_ agreement: PairingAgreement, _ key: LongTermKey) {
    var distribution = KeyDistribution(agreement, key)
    if !agreement.isCentral { sendKeys(&distribution) }
    proceed(distribution)
  }

  mutating func take(_ pdu: SecurityPDU, _ distribution: KeyDistribution) throws(PairingFailure) {
    var distribution = distribution
    try distribution.take(pdu)
    proceed(distribution)
  }

  private mutating func proceed(_ distribution: KeyDistribution) {
    guard distribution.expected.isEmpty else { return state = .distributing(distribution) }
    var distribution = distribution
    if distribution.agreement.isCentral { sendKeys(&distribution) }
    complete(distribution)
  }

  private mutating func sendKeys(_ distribution: inout KeyDistribution) {
    let (agreement, identity) = (distribution.agreement, link.identity)
    if agreement.ownKeys.contains(.encryption) { distribution.ownKey = sendLongTermKey(distribution) }
    if agreement.ownKeys.contains(.identity) {
      send(.identityInformation(identity.resolvingKey ?? SecurityToolbox.zeros(16)))
      send(.identityAddressInformation(identity.address))
    }
    if agreement.ownKeys.contains(.signature), let key = identity.signatureKey {
      send(.signingInformation(key))
    }
  }

  private mutating func sendLongTermKey(_ distribution: KeyDistribution) -> LongTermKey {
    let ediv = randomBytes(2)
    let key = distribution.agreement.key(
      randomBytes(16), kind: distribution.kind, ediv: UInt16(ediv[0], ediv[1]), rand: randomBytes(8))
    send(.encryptionInformation(key.value))
    send(.centralIdentification(ediv: key.ediv, rand: key.rand))
    return key
  }

  /// Keys that everyone knows are kept only by a device that uses them itself.
  private mutating func complete(_ distribution: KeyDistribution) {
    let (key, model) = (distribution.linkKey, distribution.agreement.model)
    let keepsKeys = key.kind != 4 || policy.usesDebugKeys
    let bond = keepsKeys ? distribution.bond : nil
    keys = bond?.longTermKeys ?? [key]
    state = .idle
    attempts.succeeded()
    actions.append(
      .paired(
        PairingResult(
          model: model, security: security, bond: bond, signatureKey: distribution.signatureKey)))
  }
}
