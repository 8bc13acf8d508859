import Behavior
import Bluetooth
import EventLoop
import Kernel
import Peripheral

// Keys that only one side has, and why links end: bluetoothd reports neither.
extension BlueZTransport {
  /// How long a bonded central may take to encrypt its link. bluetoothd asks it to do so as soon as it connects (Security
  /// Request), and serves it nothing before (bluez 5.66 to 5.87: `device_attach_att` of src/device.c).
  private static let encryptionLimit = Duration.seconds(5)
  /// How long bluetoothd waits for the response to a request (Core Specification, Vol 3 Part F 3.3.3).
  private static let responseLimit = Duration.seconds(30)

  /// A central has connected.
  func began(_ central: Central) {
    let link = CentralLink(heardLink(to: central))
    links[central] = link
    link.encryption = EventLoop.after(Self.encryptionLimit) { [weak self, weak link] in
      if let self, let link { lookForLostKeys(of: central, link) }
    }
    tellProblems(of: central, link)
  }

  /// A central has disconnected.
  func ended(_ central: Central) {
    hearing.catchUp()
    guard let link = links.removeValue(forKey: central) else { return }
    link.encryption = nil
    guard let heard = link.heard, let reason = heard.reason else { return }
    switch reason {
    case .authenticationFailure where !heard.wasEncrypted && heard.problems.isEmpty && !link.hasAsked:
      authenticationFailed(central, link)
    case .micFailure: host?.warn(PairingPolicy.encryptionFailed(with: central, reason))
    case .localHost where !link.isEndedByDevice: tellLocalEnd(of: central, after: EventLoop.now - link.began)
    default: break
    }
  }

  /// The controller has reported a problem.
  func tellProblems(of heard: HeardLink) {
    guard let (central, link) = links.first(where: { $0.value.heard === heard }) else { return }
    tellProblems(of: central, link)
  }

  private func heardLink(to central: Central) -> HeardLink? {
    guard let controller = registrar?.state.adapter?.controller else { return nil }
    hearing.follow(controller.index)
    let link = KernelLink(controller: controller, peer: LinkAddress(central, .public))
    return link.handle.map { hearing.link($0) }
  }
}

// MARK: Encryption

extension BlueZTransport {
  private func tellProblems(of central: Central, _ link: CentralLink) {
    for problem in link.takeProblems() {
      switch problem {
      case .keyMissing: host?.warn(PairingPolicy.missingKey(of: central, policy))
      case .encryptionFailed(let error): host?.warn(PairingPolicy.encryptionFailed(with: central, error))
      }
    }
  }

  private func authenticationFailed(_ central: Central, _ link: CentralLink) {
    if let cause = policy?.cause(of: .pairingNotSupported) {
      host?.warn(PairingPolicy.refusal(of: central, cause))
    } else {
      lookForLostKeys(of: central, link)
    }
  }

  /// A central for which bluetoothd has keys, and which has not encrypted its link, has lost its own. bluetoothd refuses to pair
  /// it again by Just Works, without asking the device's agent.
  private func lookForLostKeys(of central: Central, _ link: CentralLink) {
    guard !link.hasAsked, link.heard?.wasEncrypted != true, isEncrypted(central) != true, let client,
      let adapter = registrar?.state.adapter
    else { return }
    EventLoop.start { [weak self] in
      guard let pairing = await client.pairing(of: central, with: adapter), pairing.isPaired, let self else {
        return
      }
      // A computer or a phone that is paired for something else keeps that.
      let areRemoved = policy != nil && !pairing.hasBasicRate
      if areRemoved {
        link.isEndedByDevice = true
        await client.forget(central, of: adapter)
      }
      host?.warn(PairingPolicy.lostKeys(of: central, areRemoved: areRemoved))
    }
  }
}

// MARK: Ends

extension BlueZTransport {
  private func tellLocalEnd(of central: Central, after microseconds: Int64) {
    guard microseconds >= Self.responseLimit.microseconds else { return }
    host?.warn(
      "this machine has ended the link to \(central), as bluetoothd does when a central has not answered a request within 30 s: "
        + "it asks each central for its MTU and its attributes")
  }
}
