import AttributeServer
import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// Pairs centrals in memory, as the kernel does for `exact` (Core Specification, Vol 3 Part H 2.3). A device that does not say
/// how it pairs does so by Just Works.
@EventLoop
final class LoopbackPairing {
  private let server: GATTServer
  /// The keys of the centrals. The device has them in its bonds.
  private var keys: [DeviceAddress: LongTermKey] = [:]
  private var lastNumber: UInt32 = 314_159
  private var lastKey: UInt64 = 271_828

  init(_ server: GATTServer) { self.server = server }

  /// Encrypts a link with the keys of an earlier pairing.
  ///
  /// - Returns: whether both sides have them. A central that learns that the device has none drops its own.
  func encrypt(_ link: LoopbackLink) -> Bool {
    guard let key = keys[link.identity] else { return false }
    if link.security == key.security, link.hasBondKey { return true }
    guard server.bonds.contains(where: { $0.longTermKeys.contains(key) }) else {
      forget(link.identity)
      server.keyMissing(of: link.address)
      return false
    }
    guard server.host?.fault(in: .encryption, of: link.address) == nil else {
      forget(link.identity)
      server.encryptionFailed(of: link.address, .keyMissing)
      return false
    }
    protect(link, key.security, byBond: true)
    return true
  }

  /// The central loses its keys.
  func forget(_ central: DeviceAddress) { keys[central] = nil }

  /// A pairing that is under way.
  private struct Attempt {
    var link: LoopbackLink
    var request: PairingRequest
    var policy: PairingPolicy
    var fault: PairingFault?

    var isSecure: Bool { request.usesSecureConnections(with: policy) }
    var model: AssociationModel { request.model(with: policy) }
    var isBonded: Bool { request.bonds && policy.bonds }
    var keySize: Int { request.keySize(with: policy) }
    var identity: LinkAddress { LinkAddress(link.identity) }
  }

  /// Pairs. If somebody at the device is asked, it may take a while.
  ///
  /// - Parameter end: called with the outcome; nil: the link has ended before.
  func pair(_ link: LoopbackLink, _ request: PairingRequest, end: @escaping (PairingOutcome?) -> Void) {
    if encrypt(link) { return end(.paired(bonded: true)) }
    let attempt = Attempt(
      link: link, request: request, policy: server.device?.pairing ?? PairingPolicy(), fault: fault(of: link))
    do throws(PairingFailure) { try begin(attempt) } catch { return end(failed(attempt, error)) }
    guard let question = attempt.model.question, let host = server.host else {
      return end(finish(attempt, .asUsual))
    }
    link.onPaired = end
    link.awaitedAnswer = host.ask(question, about: link.address) { [weak self] answer in
      guard let self, let end = link.onPaired.take() else { return }
      end(finish(attempt, answer))
    }
  }

  private func begin(_ attempt: Attempt) throws(PairingFailure) {
    if case .failure(let reason, at: .pairingResponse) = attempt.fault?.effect { throw meet(attempt, reason) }
    let policy = attempt.policy
    guard policy.isAllowed else { throw .pairingNotSupported }
    if keepsBond(attempt) { throw .authenticationRequirements }
    if server.isFull(for: attempt.identity) { throw .pairingNotSupported }
    guard attempt.keySize >= policy.minimumKeySize else { throw .encryptionKeySize }
    if policy.secureConnections == .required && !attempt.isSecure
      || policy.requiresAuthentication && attempt.model == .justWorks
    {
      throw .authenticationRequirements
    }
    if attempt.model == .numericComparison { server.showPasskey(makeNumber(), for: attempt.link.address) }
  }

  private func finish(_ attempt: Attempt, _ answer: PersonAnswer) -> PairingOutcome {
    let (link, key): (LoopbackLink, LongTermKey)
    do throws(PairingFailure) {
      (link, key) = (attempt.link, makeKey(try authenticate(attempt, answer), attempt))
      try fail(attempt)
    } catch {
      return failed(attempt, error)
    }
    if attempt.isBonded { keys[link.identity] = key }
    protect(link, key.security, byBond: false)
    if attempt.isBonded { link.protect(key.security, byBond: true) }
    server.paired(link.address, bond: attempt.isBonded ? link.bond(key) : nil)
    return .paired(bonded: attempt.isBonded)
  }

  private func failed(_ attempt: Attempt, _ failure: PairingFailure) -> PairingOutcome {
    let keepsBond = failure == .authenticationRequirements && keepsBond(attempt)
    server.pairingFailed(
      attempt.link.address, failure, isSecure: attempt.isSecure,
      keptBond: keepsBond ? attempt.identity : nil)
    return .failed(failure)
  }

  private func protect(_ link: LoopbackLink, _ security: LinkSecurity, byBond: Bool) {
    link.protect(security, byBond: byBond)
    server.securityChanged(of: link.address, to: security)
  }
}

// MARK: Faults

extension LoopbackPairing {
  private func fault(of link: LoopbackLink) -> PairingFault? {
    guard case .pairing(let fault) = server.host?.fault(in: .pairing, of: link.address) else { return nil }
    return fault
  }

  private func meet(_ attempt: Attempt, _ failure: PairingFailure) -> PairingFailure {
    if let fault = attempt.fault { server.host?.metFault(fault.number, in: attempt.link.address) }
    return failure
  }

  /// Lets a pairing that would succeed fail.
  private func fail(_ attempt: Attempt) throws(PairingFailure) {
    let lastStep: PairingFault.Step =
      !attempt.isSecure && attempt.isBonded ? .keys : attempt.isSecure ? .dhKeyCheck : .pairingRandom
    switch attempt.fault?.effect {
    case .failure(let reason, let step) where step <= lastStep: throw meet(attempt, reason)
    case .wrongConfirm where attempt.model != .outOfBand: throw meet(attempt, .confirmValueFailed)
    default: break
    }
    if server.host?.fault(in: .encryption, of: attempt.link.address) != nil { throw .unknown }
  }
}

// MARK: Authentication

extension LoopbackPairing {
  /// Whether the pairing would replace the bond with the central by a weaker one.
  private func keepsBond(_ attempt: Attempt) -> Bool {
    guard attempt.isBonded,
      let present = server.strengths(besides: attempt.link.address)[attempt.identity]
    else { return false }
    return strength(attempt.model != .justWorks, attempt) < present
  }

  private func strength(_ isAuthenticated: Bool, _ attempt: Attempt) -> KeyStrength {
    KeyStrength(
      isAuthenticated: isAuthenticated, isSecure: attempt.isSecure, keySize: attempt.keySize)
  }

  /// A key that is the same in each run.
  private func makeKey(_ isAuthenticated: Bool, _ attempt: Attempt) -> LongTermKey {
    let strength = strength(isAuthenticated, attempt)
    let value = (0..<16).map { UInt8(truncatingIfNeeded: makeBits() >> 32 &+ UInt64($0)) }
    return LongTermKey(
      kind: (isAuthenticated ? 1 : 0) + (strength.isSecure ? 2 : 0), isOfCentral: false,
      size: strength.keySize,
      ediv: 0, rand: [UInt8](repeating: 0, count: 8), value: value)
  }

  private func makeBits() -> UInt64 {
    lastKey = lastKey &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return lastKey
  }

  /// - Returns: whether the key is authenticated.
  private func authenticate(
    _ attempt: Attempt, _ answer: PersonAnswer
  ) throws(PairingFailure) -> Bool {
    if answer == .nothing { throw .timeout }
    let (entered, known) = (attempt.request.passkey, attempt.policy.passkey)
    switch attempt.model {
    case .justWorks, .outOfBand: return false
    case .passkeyShownByPeripheral:
      let shown = known ?? makeNumber()
      server.showPasskey(shown, for: attempt.link.address)
      try compare(entered ?? shown, shown)
    case .passkeyShownByCentral, .passkeyEnteredAtBoth:
      switch answer {
      case .passkey(let typed): try compare(entered ?? known ?? makeNumber(), typed)
      case .asUsual:
        guard let known else { throw .passkeyEntryFailed }
        try compare(entered ?? known, known)
      case .refusal, .nothing: throw .passkeyEntryFailed
      }
    case .numericComparison: if answer == .refusal { throw .numericComparisonFailed }
    }
    return true
  }

  private func compare(_ entered: UInt32, _ shown: UInt32) throws(PairingFailure) {
    if entered != shown { throw .confirmValueFailed }
  }

  /// A number of six digits: the same ones in each run.
  private func makeNumber() -> UInt32 {
    lastNumber = lastNumber &* 48_271 % 1_000_000
    return lastNumber
  }
}
