import Behavior
import Bluetooth
import GATTServer
import HCIPackets
import Host
import PairingAgent
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
    let identity = SecuredLink.Identity(address: link.local)
    let policy = server.device?.pairing ?? PairingPolicy()
    let keys = server.bonds.first { $0.peer == peer }?.longTermKeys ?? []
    let manager = SecurityManager(
      SecuredLink(role: .peripheral, ownAddress: link.local, peerAddress: link.peer, identity: identity),
      policy: policy, keys: keys, attempts: attempts[peer] ?? RepeatedAttempts(),
      random: SystemRandomNumberGenerator())
    seat?.change { $0.secure(link.handle, with: manager) }
    guard policy.isAllowed, policy.requestsSecurity else { return }
    seat?.change { $0.changeSecurity(of: link.handle) { $0.pair(at: $1) } }
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
    case .failed(.keyMissing, _):
      host?.warn(PairingPolicy.missingKey(of: central, server.device?.pairing))
    case .failed(let failure, _): failed(failure, handle, central)
    case .requestedSecurity, .send, .encrypt, .giveKey, .refuseKey: break
    }
  }

  private func enterPasskey(_ handle: LinkHandle, _ central: Central) {
    let passkey = server.device?.pairing?.passkey
    if passkey == nil { host?.warn(PairingPolicy.noPasskey(for: central)) }
    seat?.change { $0.changeSecurity(of: handle) { $0.enter(passkey: passkey, at: $1) } }
  }

  private func failed(_ failure: PairingFailure, _ handle: LinkHandle, _ central: Central) {
    attempts[identity(of: links[handle]?.link.peer ?? LinkAddress(central))] =
      seat?.host?.securityManager(of: handle)?.attempts
    server.pairingFailed(central, failure)
  }
}
