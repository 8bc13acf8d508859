import Bluetooth

// What a device can and wants in a pairing (Core Specification, Vol 3 Part H 2.3).
extension PairingFeatures {
  init(_ link: SecuredLink, _ policy: PairingPolicy, _ outOfBand: OutOfBandData) {
    let (own, peers) = policy.bonds ? (link.identity.ownKeys, link.identity.peerKeys) : ([], [])
    let isCentral = link.role == .central
    self.init(
      capability: policy.capability, hasOutOfBandData: outOfBand.isPresent, requirements: policy.requirements,
      maximumKeySize: UInt8(min(max(policy.maximumKeySize, 7), 16)),
      centralKeys: isCentral ? own : peers, peripheralKeys: isCentral ? peers : own)
  }

  /// The same as a Pairing Response: no keys that the central does not ask for, and none at all without bonding.
  func answering(_ request: Self) -> Self {
    var response = self
    let bonds = requirements.contains(.bonding) && request.requirements.contains(.bonding)
    response.centralKeys = bonds ? centralKeys.intersection(request.centralKeys) : []
    response.peripheralKeys = bonds ? peripheralKeys.intersection(request.peripheralKeys) : []
    if !bonds { response.requirements.remove(.bonding) }
    return response
  }
}

extension PairingPolicy {
  var requirements: AuthenticationRequirements {
    var requirements: AuthenticationRequirements = []
    if bonds { requirements.insert(.bonding) }
    if wantsAuthentication { requirements.insert(.authentication) }
    if secureConnections != .never { requirements.insert(.secureConnections) }
    return requirements
  }
}

extension SecuredLink.Identity {
  fileprivate var ownKeys: KeyKinds {
    var kinds: KeyKinds = [.encryption]
    if resolvingKey != nil { kinds.insert(.identity) }
    if signatureKey != nil { kinds.insert(.signature) }
    return kinds
  }

  fileprivate var peerKeys: KeyKinds {
    signatureKey == nil ? [.encryption, .identity] : [.encryption, .identity, .signature]
  }
}
