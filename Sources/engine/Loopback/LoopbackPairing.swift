import AttributeServer
import Behavior
import Bluetooth
import EventLoop

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

  func pair(_ link: LoopbackLink, _ request: PairingRequest) -> PairingOutcome {
    if encrypt(link) { return .paired(bonded: true) }
    let policy = server.device?.pairing ?? PairingPolicy()
    let key: LongTermKey
    var keptBond: LinkAddress?
    do throws(PairingFailure) {
      let fault = fault(of: link)
      if case .failure(let reason, at: .pairingResponse) = fault?.effect { throw meet(fault, link, reason) }
      if policy.isAllowed, keepsBond(with: link, request, policy) {
        keptBond = LinkAddress(link.identity)
        throw .authenticationRequirements
      }
      key = makeKey(try authenticate(link, request, policy), request, policy)
      try fail(fault, link, request, policy)
    } catch {
      server.pairingFailed(
        link.address, error, isSecure: request.usesSecureConnections(with: policy), keptBond: keptBond)
      return .failed(error)
    }
    let isBonded = request.bonds && policy.bonds
    if isBonded { keys[link.identity] = key }
    protect(link, key.security, byBond: false)
    if isBonded { link.protect(key.security, byBond: true) }
    server.paired(link.address, bond: isBonded ? link.bond(key) : nil)
    return .paired(bonded: isBonded)
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

  private func meet(
    _ fault: PairingFault?, _ link: LoopbackLink, _ failure: PairingFailure
  ) -> PairingFailure {
    if let fault { server.host?.metFault(fault.number, in: link.address) }
    return failure
  }

  /// Lets a pairing that would succeed fail.
  private func fail(
    _ fault: PairingFault?, _ link: LoopbackLink, _ request: PairingRequest, _ policy: PairingPolicy
  ) throws(PairingFailure) {
    let isSecure = request.usesSecureConnections(with: policy)
    let lastStep: PairingFault.Step =
      !isSecure && request.bonds && policy.bonds ? .keys : isSecure ? .dhKeyCheck : .pairingRandom
    switch fault?.effect {
    case .failure(let reason, let step) where step <= lastStep: throw meet(fault, link, reason)
    case .wrongConfirm where request.model(with: policy) != .outOfBand:
      throw meet(fault, link, .confirmValueFailed)
    default: break
    }
    if server.host?.fault(in: .encryption, of: link.address) != nil { throw .unknown }
  }
}

// MARK: Authentication

extension LoopbackPairing {
  /// Whether the pairing would replace the bond with the central by a weaker one.
  private func keepsBond(
    with link: LoopbackLink, _ request: PairingRequest, _ policy: PairingPolicy
  ) -> Bool {
    guard request.bonds, policy.bonds,
      let present = server.strengths(besides: link.address)[LinkAddress(link.identity)]
    else { return false }
    return strength(request.model(with: policy) != .justWorks, request, policy) < present
  }

  private func strength(
    _ isAuthenticated: Bool, _ request: PairingRequest, _ policy: PairingPolicy
  ) -> KeyStrength {
    KeyStrength(
      isAuthenticated: isAuthenticated, isSecure: request.usesSecureConnections(with: policy),
      keySize: request.keySize(with: policy))
  }

  /// A key that is the same in each run.
  private func makeKey(
    _ isAuthenticated: Bool, _ request: PairingRequest, _ policy: PairingPolicy
  ) -> LongTermKey {
    let strength = strength(isAuthenticated, request, policy)
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
    _ link: LoopbackLink, _ request: PairingRequest, _ policy: PairingPolicy
  ) throws(PairingFailure) -> Bool {
    guard policy.isAllowed, !server.isFull(for: LinkAddress(link.address)) else { throw .pairingNotSupported }
    let isSecure = request.usesSecureConnections(with: policy)
    let model = request.model(with: policy)
    guard request.keySize(with: policy) >= policy.minimumKeySize else { throw .encryptionKeySize }
    if policy.secureConnections == .required && !isSecure
      || policy.requiresAuthentication && model == .justWorks
    {
      throw .authenticationRequirements
    }
    switch model {
    case .justWorks, .outOfBand: return false
    case .passkeyShownByPeripheral:
      let shown = policy.passkey ?? makeNumber()
      server.showPasskey(shown, for: link.address)
      try compare(request.passkey ?? shown, shown)
    case .passkeyShownByCentral, .passkeyEnteredAtBoth:
      guard let entered = policy.passkey else { throw .passkeyEntryFailed }
      try compare(request.passkey ?? entered, entered)
    case .numericComparison: server.showPasskey(makeNumber(), for: link.address)
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
