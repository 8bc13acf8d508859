import Bluetooth
import Framing

// The first phase of a pairing: the devices exchange what they can and want (Core Specification, Vol 3 Part H 2.3).
extension SecurityManager {
  /// Begins to pair: a central sends a Pairing Request, a peripheral a Security Request. Does nothing while a pairing is under
  /// way, and after one has timed out.
  package mutating func pair(at now: Instant) -> [SecurityAction] {
    perform(at: now) { manager throws(PairingFailure) in
      guard !manager.isPairing else { return }
      if manager.link.role == .central { manager.request() } else { manager.requestSecurity() }
    }
  }

  private mutating func request() {
    guard !attempts.isWaiting(at: now) else {
      return actions.append(.failed(.repeatedAttempts, by: .own))
    }
    let request = ownFeatures
    state = .requested(request)
    send(.pairingRequest(request))
  }

  private mutating func requestSecurity() {
    state = .securityRequested
    send(.securityRequest(ownFeatures.requirements))
  }

  /// A central hears of a peripheral's Security Request. It ignores one during a pairing (2.4.6).
  mutating func hear(_ requirements: AuthenticationRequirements) throws(PairingFailure) {
    guard link.role == .central else { throw .commandNotSupported }
    guard !isPairing else { return }
    guard policy.isAllowed || !keys.isEmpty else { throw .pairingNotSupported }
    actions.append(.requestedSecurity(requirements))
  }

  mutating func respond(to request: PairingFeatures) throws(PairingFailure) {
    guard link.role == .peripheral else { throw .commandNotSupported }
    guard !isPairing else { throw .unspecifiedReason }
    state = .requested(request)
    guard policy.isAllowed else { throw .pairingNotSupported }
    guard !attempts.isWaiting(at: now) else { throw .repeatedAttempts }
    let response = ownFeatures.answering(request)
    let agreement = try agreement(request, response)
    send(.pairingResponse(response))
    begin(agreement)
  }

  mutating func take(_ response: PairingFeatures, to request: PairingFeatures) throws(PairingFailure) {
    guard response.centralKeys.isSubset(of: request.centralKeys),
      response.peripheralKeys.isSubset(of: request.peripheralKeys)
    else { throw .invalidParameters }
    begin(try agreement(request, response))
  }

  private func agreement(
    _ request: PairingFeatures, _ response: PairingFeatures
  ) throws(PairingFailure) -> PairingAgreement {
    let agreement = try PairingAgreement(link, policy, request: request, response: response)
    guard agreement.model != .outOfBand || outOfBand.suffices(for: agreement) else {
      throw .oobNotAvailable
    }
    return agreement
  }

  private mutating func begin(_ agreement: PairingAgreement) {
    if agreement.isSecure { beginSecure(agreement) } else { beginLegacy(agreement) }
  }
}

extension OutOfBandData {
  /// Whether this device has what the OOB data flags promise.
  fileprivate func suffices(for agreement: PairingAgreement) -> Bool {
    guard agreement.isSecure else { return temporaryKey != nil }
    return (peer != nil || !agreement.ownFeatures.hasOutOfBandData)
      && (own != nil || !agreement.peerFeatures.hasOutOfBandData)
  }
}

// MARK: Features

extension SecurityManager {
  /// What this device can and wants.
  var ownFeatures: PairingFeatures {
    let (own, peers) = (ownKeys, policy.bonds ? peerKeys : [])
    let isCentral = link.role == .central
    return PairingFeatures(
      capability: policy.capability, hasOutOfBandData: outOfBand.isPresent, requirements: requirements,
      maximumKeySize: UInt8(min(max(policy.maximumKeySize, 7), 16)),
      centralKeys: isCentral ? own : peers, peripheralKeys: isCentral ? peers : own)
  }

  private var requirements: AuthenticationRequirements {
    var requirements: AuthenticationRequirements = []
    if policy.bonds { requirements.insert(.bonding) }
    if policy.wantsAuthentication { requirements.insert(.authentication) }
    if policy.secureConnections != .never { requirements.insert(.secureConnections) }
    return requirements
  }

  private var ownKeys: KeyKinds {
    guard policy.bonds else { return [] }
    var kinds: KeyKinds = [.encryption]
    if link.identity.resolvingKey != nil { kinds.insert(.identity) }
    if link.identity.signatureKey != nil { kinds.insert(.signature) }
    return kinds
  }

  private var peerKeys: KeyKinds {
    link.identity.signatureKey == nil ? [.encryption, .identity] : [.encryption, .identity, .signature]
  }
}

extension PairingFeatures {
  /// The same as a Pairing Response: no keys that the central does not ask for, and none at all without bonding.
  fileprivate func answering(_ request: Self) -> Self {
    var response = self
    let bonds = requirements.contains(.bonding) && request.requirements.contains(.bonding)
    response.centralKeys = bonds ? centralKeys.intersection(request.centralKeys) : []
    response.peripheralKeys = bonds ? peripheralKeys.intersection(request.peripheralKeys) : []
    if !bonds { response.requirements.remove(.bonding) }
    return response
  }
}
