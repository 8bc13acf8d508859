import AttributeServer
import Behavior
import Bluetooth
import EventLoop

/// Pairs centrals in memory, as the kernel does for `exact` (Core Specification, Vol 3 Part H 2.3). A device that does not say
/// how it pairs does so by Just Works.
@EventLoop
final class LoopbackPairing {
  private let server: GATTServer
  /// The keys of the centrals: how well they protect a link to the device.
  private var keys: [DeviceAddress: LinkSecurity] = [:]
  private var lastNumber: UInt32 = 314_159

  init(_ server: GATTServer) { self.server = server }

  /// Encrypts a link with the keys of an earlier pairing.
  ///
  /// - Returns: whether both sides have them. A central that learns that the device has none drops its own.
  func encrypt(_ link: LoopbackLink) -> Bool {
    guard let security = keys[link.address] else { return false }
    if link.security == security { return true }
    guard server.bondedCentrals.contains(link.address) else {
      forget(link.address)
      server.keyMissing(of: link.address)
      return false
    }
    guard server.host?.fault(in: .encryption, of: link.address) == nil else {
      forget(link.address)
      server.encryptionFailed(of: link.address, .keyMissing)
      return false
    }
    protect(link, security, byBond: true)
    return true
  }

  /// The central loses its keys.
  func forget(_ central: Central) { keys[central] = nil }

  func pair(_ link: LoopbackLink, _ request: PairingRequest) -> PairingOutcome {
    if encrypt(link) { return .paired(bonded: true) }
    let policy = server.device?.pairing ?? PairingPolicy()
    let security: LinkSecurity
    do throws(PairingFailure) {
      let fault = fault(of: link)
      if case .failure(let reason, at: .pairingResponse) = fault?.effect { throw meet(fault, link, reason) }
      security = try authenticate(link, request, policy)
      try fail(fault, link, request, policy)
    } catch {
      server.pairingFailed(
        link.address, error, isSecure: request.usesSecureConnections(with: policy))
      return .failed(error)
    }
    let isBonded = request.bonds && policy.bonds
    if isBonded { keys[link.address] = security }
    protect(link, security, byBond: false)
    if isBonded { link.protect(security, byBond: true) }
    server.paired(link.address, bond: isBonded ? Bond(with: LinkAddress(link.address)) : nil)
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
  /// - Returns: how well the key protects.
  private func authenticate(
    _ link: LoopbackLink, _ request: PairingRequest, _ policy: PairingPolicy
  ) throws(PairingFailure) -> LinkSecurity {
    guard policy.isAllowed else { throw .pairingNotSupported }
    let isSecure = request.usesSecureConnections(with: policy)
    if policy.secureConnections == .required, !isSecure { throw .authenticationRequirements }
    switch request.model(with: policy) {
    case .justWorks, .outOfBand: return .encrypted
    case .passkeyShownByPeripheral:
      let shown = policy.passkey ?? makeNumber()
      server.showPasskey(shown, for: link.address)
      try compare(request.passkey ?? shown, shown)
    case .passkeyShownByCentral, .passkeyEnteredAtBoth:
      guard let entered = policy.passkey else { throw .passkeyEntryFailed }
      try compare(request.passkey ?? entered, entered)
    case .numericComparison: server.showPasskey(makeNumber(), for: link.address)
    }
    return isSecure ? .secureConnections : .authenticated
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
