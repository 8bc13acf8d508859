import Behavior
import Bluetooth
import Peripheral

// A transport's reports about a link.
extension GATTServer {
  /// The link to a central has other parameters, another PHY or other packets.
  package func linkChanged(_ central: Central, _ change: LinkChange) {
    if let parameters = change.parameters { recorder?.parametersChanged(of: central, to: parameters) }
    if self[central] != nil { host?.receive(.linkChanged(central, change)) }
  }

  /// The properties of a link that the transport has looked at: nothing has happened.
  package func measured(_ central: Central, _ change: LinkChange) { host?.linkMeasured(central, change) }

  /// A central keeps the parameters of its link, although the device has asked for others.
  package func parametersRefused(by central: Central, _ refusal: ParameterRefusal) {
    guard self[central] != nil else { return }
    host?.warn("\(central) \(refusal.sentence)")
    host?.receive(.parametersRefused(central, refusal))
  }
}

// MARK: Security

extension GATTServer {
  /// The link to a central is encrypted now, or better protected than before.
  package func securityChanged(of central: Central, to security: LinkSecurity) {
    guard let link = self[central] else { return }
    recorder?.encryptionChanged(of: central, isEncrypted: security.isEncrypted)
    host?.receive(.encrypted(central, security))
    if security.isEncrypted { encrypted(link) }
  }

  /// A central has paired.
  ///
  /// - Parameter bond: what both sides keep; nil: nothing.
  package func paired(_ central: Central, bond: Bond?) {
    guard let link = self[central] else { return }
    guard let bond else { return host?.receive(.paired(central)) ?? () }
    // The transport refuses such a pairing; another link may have bonded meanwhile.
    if let kept = strengths(besides: central)[bond.peer], let new = bond.strength, new < kept {
      host?.receive(.paired(central))
      return host?.warn(PairingPolicy.keptBond(with: bond.peer.address, against: central)) ?? ()
    }
    if isFull(for: bond.peer), let cause = device?.pairing?.cause(of: .pairingNotSupported) {
      host?.receive(.paired(central))
      return host?.warn(PairingPolicy.refusal(of: central, cause)) ?? ()
    }
    if bond.peer != link.identity { host?.receive(.identified(central, bond.peer)) }
    host?.receive(.paired(central))
    keep(bond, of: link)
    host?.receive(.bonded(central))
  }

  /// What both sides keep has changed.
  package func change(_ bond: Bond) { keep(bond, of: nil) }

  /// How strong the bonds are that a pairing on the link to a central must not replace by weaker ones. Nobody else has the
  /// identity of a bonded central that is connected.
  package func strengths(besides central: Central) -> [LinkAddress: KeyStrength] {
    var strengths: [LinkAddress: KeyStrength] = [:]
    for bond in bonds { strengths[bond.peer] = bond.strength }
    for link in links where link.central != central && link.bonding == .isInForce {
      strengths[link.identity] = .unrivalled
    }
    return strengths
  }

  /// Whether the device has no room for a bond with this peer.
  package func isFull(for peer: LinkAddress) -> Bool {
    guard let policy = device?.pairing, let most = policy.mostBonds, !policy.replacesOldestBond else {
      return false
    }
    return bonds.count >= most && !bonds.contains { $0.peer == peer }
  }

  /// - Parameters:
  ///   - isSecure: whether the central pairs by LE Secure Connections.
  ///   - kept: the identity address of the bond that the device keeps instead; nil: the failure has another cause.
  package func pairingFailed(
    _ central: Central, _ failure: PairingFailure, isSecure: Bool = false, keptBond kept: LinkAddress? = nil
  ) {
    guard served(central) else { return }
    host?.receive(.pairingFailed(central, failure))
    if let kept {
      host?.warn(PairingPolicy.keptBond(with: kept.address, against: central))
    } else if let cause = device?.pairing?.cause(of: failure, isSecure: isSecure) {
      host?.warn(PairingPolicy.refusal(of: central, cause))
    }
  }

  /// A central has tried to encrypt its link with a key that the device does not have.
  package func keyMissing(of central: Central) {
    host?.warn(PairingPolicy.missingKey(of: central, device?.pairing))
    encryptionFailed(of: central, .keyMissing)
  }

  /// A central has not succeeded in encrypting its link with the keys of an earlier pairing.
  ///
  /// - Parameter error: PIN or Key Missing if the device has refused the key.
  package func encryptionFailed(of central: Central, _ error: HCIError) {
    if error != .keyMissing { host?.warn("\(central) could not encrypt the link: \(error)") }
    if served(central) { host?.receive(.encryptionFailed(central, error)) }
  }

  /// A person must enter this passkey at the central, or compare it there.
  package func showPasskey(_ passkey: UInt32, for central: Central) {
    guard served(central) else { return }
    host?.receive(.passkeyShown(central, passkey))
  }

  private func served(_ central: Central) -> Bool { self[central] != nil }
}

extension ParameterRefusal {
  /// What has happened, after the name of the central.
  fileprivate var sentence: String {
    switch self {
    case .rejected: "refuses the device's connection parameters"
    case .notUnderstood: "does not understand the device's request for other connection parameters"
    case .noAnswer: "did not answer the device's request for other connection parameters within 30 s"
    case .controller(let error): "keeps its connection parameters: \(error)"
    }
  }
}
