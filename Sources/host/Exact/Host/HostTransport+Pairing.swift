import AttributeServer
import Behavior
import Bluetooth
import HCIPackets
import Host
import SecurityManager

// How centrals pair, and the bonds with them.
extension HostTransport {
  /// A central's identity address, if it is bonded and uses a private address; otherwise the address that it uses.
  func identity(of peer: LinkAddress) -> LinkAddress {
    let bond = server.bonds.first { $0.identityResolvingKey.map { peer.isResolved(by: $0) } ?? false }
    return bond?.peer ?? peer
  }

  /// Lets a link pair as the device does. A device that does not say how pairs by Just Works.
  func secure(_ link: HostLink, of peer: LinkAddress) {
    let identity = ownIdentity(on: link)
    let policy = server.device?.pairing ?? PairingPolicy()
    let keys = server.bonds.first { $0.peer == peer }?.longTermKeys ?? []
    let manager = SecurityManager(
      SecuredLink(role: .peripheral, ownAddress: link.local, peerAddress: link.peer, identity: identity),
      policy: policy, keys: keys, attempts: failedPeers.attempts(of: peer) ?? RepeatedAttempts(forgiven: 1),
      random: SystemRandomNumberGenerator())
    seat?.change { $0.secure(link.handle, with: manager) }
    guard policy.isAllowed, policy.requestsSecurity else { return }
    seat?.change { $0.changeSecurity(of: link.handle) { $0.pair(at: $1) } }
  }

  /// What the device tells a bonded central of itself: with a resolvable private address, its key and its identity address.
  private func ownIdentity(on link: HostLink) -> SecuredLink.Identity {
    guard let set = link.set.map(Int.init), setAddresses.indices.contains(set),
      let identity = setAddresses[set]?.identity
    else { return SecuredLink.Identity(address: link.local) }
    return SecuredLink.Identity(
      address: identity.address.map { LinkAddress($0, .random) } ?? controllerAddress,
      resolvingKey: identity.resolvingKey)
  }

  package var isPairing: Bool {
    links.keys.contains { seat?.host?.securityManager(of: $0)?.isPairing ?? false }
  }

  package func pair(_ policy: PairingPolicy?) {
    server.pair(policy)
    for handle in links.keys {
      seat?.change {
        $0.changeSecurity(of: handle) { manager, _ in
          manager.policy = policy ?? PairingPolicy()
          return []
        }
      }
    }
  }

  package var bondedCentrals: [Central]? { server.bondedCentrals }

  package func forget(_ central: Central?) {
    let forgotten = Set(server.forget(central).map { $0.central })
    for (handle, served) in links where forgotten.contains(served.central) {
      seat?.change {
        $0.changeSecurity(of: handle) { manager, _ in
          manager.keys = []
          return []
        }
      }
    }
  }

  func take(_ action: SecurityAction, of handle: LinkHandle) {
    guard let served = links[handle] else { return }
    let central = served.central
    switch action {
    case .show(let passkey): server.showPasskey(passkey, for: central)
    case .compare(let number):
      server.showPasskey(number, for: central)
      seat?.change { $0.changeSecurity(of: handle) { $0.confirm(true, at: $1) } }
    case .askPasskey: enterPasskey(handle, central)
    case .securityChanged(let security):
      served.channel.security = security
      server.securityChanged(of: central, to: security)
    case .paired(let result): server.paired(central, bond: result.bond)
    case .failed(.keyMissing, _): server.keyMissing(of: central)
    case .encryptionFailed(let error): server.encryptionFailed(of: central, error)
    case .failed(let failure, _): failed(failure, handle, central)
    case .metFault(let fault): host?.metFault(fault.number, in: central)
    case .requestedSecurity, .send, .encrypt, .giveKey, .refuseKey: break
    }
  }

  private func enterPasskey(_ handle: LinkHandle, _ central: Central) {
    let passkey = server.device?.pairing?.passkey
    if passkey == nil { host?.warn(PairingPolicy.noPasskey(for: central)) }
    seat?.change { $0.changeSecurity(of: handle) { $0.enter(passkey: passkey, at: $1) } }
  }

  private func failed(_ failure: PairingFailure, _ handle: LinkHandle, _ central: Central) {
    if let attempts = seat?.host?.securityManager(of: handle)?.attempts {
      failedPeers.keep(attempts, of: identity(of: links[handle]?.link.peer ?? LinkAddress(central)))
    }
    server.pairingFailed(central, failure)
  }
}
